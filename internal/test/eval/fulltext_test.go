package eval_test

import (
	"database/sql"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"
)

// fullText is the baseline of a search engine: FTS5 with its stemmer.
type fullText struct{ db *sql.DB }

func newFullText(t *testing.T, texts []string) fullText {
	db, err := sql.Open("sqlite", ":memory:")
	require.NoError(t, err)
	db.SetMaxOpenConns(1) // each connection has a memory of its own
	t.Cleanup(func() { db.Close() })
	tx, err := db.Begin()
	require.NoError(t, err)
	_, err = tx.Exec(`CREATE VIRTUAL TABLE texts USING fts5 (text, tokenize = 'porter unicode61')`)
	require.NoError(t, err)
	for i, text := range texts {
		_, err := tx.Exec(`INSERT INTO texts (rowid, text) VALUES (?, ?)`, i, text)
		require.NoError(t, err)
	}
	require.NoError(t, tx.Commit())
	return fullText{db}
}

// rank are the numbers of the texts that hold any word of the query, best first, so many
// at most.
func (f fullText) rank(t *testing.T, query string, most int) (order []int) {
	words := strings.FieldsFunc(query, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return nil
	}
	rows, err := f.db.Query(`SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank, rowid LIMIT ?`, `"`+strings.Join(words, `" OR "`)+`"`, most)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var i int
		require.NoError(t, rows.Scan(&i))
		order = append(order, i)
	}
	require.NoError(t, rows.Err())
	return order
}
