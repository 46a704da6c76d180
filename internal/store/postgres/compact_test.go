package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/test/pgtest"
)

// After many rows came at once, autovacuum would analyze them only after a minute.
func TestCompactRefreshesStatistics(t *testing.T) {
	db := database(t)
	s := member(t, db, "ferry", "ann")
	_, err := s.Put(t.Context(), learned("the ferry waits for the tide"), store.Observation{})
	require.NoError(t, err)
	super := db.Open(t, pgtest.Superuser)
	_, err = super.Exec(`ALTER TABLE whence.entries SET (autovacuum_enabled = false)`)
	require.NoError(t, err)
	rows := func() (n int) {
		require.NoError(t, super.QueryRow(`SELECT reltuples FROM pg_class WHERE oid = 'whence.entries'::regclass`).Scan(&n))
		return n
	}
	require.Equal(t, -1, rows(), "unknown")
	require.NoError(t, s.Compact(t.Context()))
	require.Equal(t, 1, rows())
}
