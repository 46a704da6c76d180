package postgres

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestArgumentsAreNumbered(t *testing.T) {
	for query, want := range map[string]string{
		`SELECT 1`:                               `SELECT 1`,
		`SELECT ?, ? FROM t WHERE a = ?`:         `SELECT $1, $2 FROM t WHERE a = $3`,
		`SELECT ?1, ?2 WHERE ?1 OR ?12`:          `SELECT $1, $2 WHERE $1 OR $12`,
		`SELECT '?', "?", 'it''s ?' WHERE a = ?`: `SELECT '?', "?", 'it''s ?' WHERE a = $1`,
	} {
		require.Equal(t, want, engine{}.Numbered(query))
	}
}
