package hooks_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// turnRow is a captured turn as it is stored.
type turnRow struct {
	Session, Role, Kind, Text, Change string
	Tags                              []string
	Number, Total, Count              int
}

// captured are the turns of a store in the order in which they came, and how many came in
// all.
func captured(t *testing.T, home string) (turns []turnRow, all int) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(home, "memory.db"))
	require.NoError(t, err)
	defer db.Close()
	if db.QueryRow(`SELECT count(*) FROM captured`).Scan(&all) != nil { // no store yet
		return nil, 0
	}
	rows, err := db.Query(`SELECT session, role, kind, text, change, tags, count,
		row_number() OVER (PARTITION BY session ORDER BY seq), count(*) OVER (PARTITION BY session) FROM turns ORDER BY seq`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var r turnRow
		var tags string
		require.NoError(t, rows.Scan(&r.Session, &r.Role, &r.Kind, &r.Text, &r.Change, &tags, &r.Count, &r.Number, &r.Total))
		r.Tags = strings.Split(tags, ",")
		turns = append(turns, r)
	}
	require.NoError(t, rows.Err())
	return turns, all
}
