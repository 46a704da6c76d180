package hooks_test

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whence/internal/capture"
	"whence/internal/store"

	"github.com/stretchr/testify/require"
)

// turnRow is a captured turn as it is stored.
type turnRow struct {
	Session, Role, Kind, Text, Change string
	Tags                              []string
	Number, Total                     int
}

// captured returns the turns of a store in the order in which they were stored.
func captured(t testing.TB, home string) (turns []turnRow) {
	t.Helper()
	name := filepath.Join(home, "memory.db")
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	db, err := sql.Open("sqlite", name+"?_pragma=busy_timeout(60000)") // a worker may still be closing it
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.Query(`SELECT session, role, kind, text, change, tags,
		row_number() OVER (PARTITION BY session ORDER BY seq), count(*) OVER (PARTITION BY session) FROM turns ORDER BY seq`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var r turnRow
		var tags string
		require.NoError(t, rows.Scan(&r.Session, &r.Role, &r.Kind, &r.Text, &r.Change, &tags, &r.Number, &r.Total))
		r.Tags = strings.Split(tags, ",")
		turns = append(turns, r)
	}
	require.NoError(t, rows.Err())
	return turns
}

// readOn makes a worker read all registered transcripts.
func readOn(t testing.TB, home string) {
	t.Helper()
	require.NoError(t, tryToRead(t, home))
}

// tryToRead is readOn, and returns the error. It waits for no answer, since the events seem to be long ago.
func tryToRead(t testing.TB, home string) error {
	t.Helper()
	if store.Exists(home) {
		db, err := sql.Open("sqlite", filepath.Join(home, "memory.db")+"?_pragma=busy_timeout(60000)")
		require.NoError(t, err)
		_, err = db.Exec(`UPDATE transcripts SET seen_at = ?`, time.Now().Add(-time.Hour).UTC().Format(time.RFC3339))
		require.NoError(t, err)
		require.NoError(t, db.Close())
	}
	_, err := capture.Work(t.Context(), home, func(string) string { return "" }, nil)
	return err
}
