package postgres_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/test/pgtest"
)

// Autovacuum would analyze a new table only after a minute.
func TestStatisticsAreRefreshed(t *testing.T) {
	db := database(t)
	s := member(t, db, "ferry", "ann")
	super := db.Open(t, pgtest.Superuser)
	_, err := super.Exec(`ALTER TABLE whence.entries SET (autovacuum_enabled = false)`)
	require.NoError(t, err)
	rows := func() (n int) {
		require.NoError(t, super.QueryRow(`SELECT reltuples FROM pg_class WHERE oid = 'whence.entries'::regclass`).Scan(&n))
		return n
	}
	put := func(n int) {
		_, err := s.Put(t.Context(), learned(fmt.Sprintf("module%[1]d keeps a pool of its own, part%[1]d drains it", n)), store.Observation{})
		require.NoError(t, err)
	}
	put(1)
	require.Equal(t, -1, rows(), "unknown")
	require.NoError(t, s.Compact(t.Context()), "after many rows")
	require.Equal(t, 1, rows())
	_, err = super.Exec(`UPDATE pg_class SET reltuples = -1 WHERE oid = 'whence.entries'::regclass`)
	require.NoError(t, err)
	for n := 2; n < 64; n++ {
		put(n)
	}
	require.Equal(t, -1, rows())
	put(64)
	require.Equal(t, 64, rows())
}
