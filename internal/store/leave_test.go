package store_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

func TestLeave(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s, err := store.Open(ctx, dir)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	name := filepath.Join(dir, "memory.db")
	file, err := os.ReadFile(name)
	require.NoError(t, err)

	for _, key := range []string{"one", "two"} {
		s, err = store.OpenExisting(ctx, dir)
		require.NoError(t, err)
		require.NoError(t, s.Note(ctx, key, 1))
		require.NoError(t, s.Leave())
		require.FileExists(t, name+"-wal")
		after, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, file, after)
	}

	noted := func() {
		var value int
		for _, key := range []string{"one", "two"} {
			ok, err := s.Noted(ctx, key, &value)
			require.NoError(t, err)
			require.True(t, ok, key)
		}
	}
	s, err = store.OpenReadOnly(ctx, dir)
	require.NoError(t, err)
	noted()
	require.NoError(t, s.Close())
	s, err = store.OpenExisting(ctx, dir)
	require.NoError(t, err)
	noted()
	require.NoError(t, s.Close())
	require.NoFileExists(t, name+"-wal")
	s, err = store.OpenReadOnly(ctx, dir)
	require.NoError(t, err)
	noted()
	require.NoError(t, s.Close())
}

// A long log would make each later opening slow.
func TestLeaveWithALongLog(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s, err := store.Open(ctx, dir)
	require.NoError(t, err)
	require.NoError(t, s.Note(ctx, "long", make([]byte, 300<<10)))
	require.NoError(t, s.Leave())
	require.NoFileExists(t, filepath.Join(dir, "memory.db-wal"))
}

// A search looks for each word in each segment of the index.
func TestSegments(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s, err := store.Open(ctx, dir)
	require.NoError(t, err)
	g := newGenerator(1)
	one := func() learning.Learning {
		return learning.Learning{Name: g.sentence(3), Description: g.sentence(20), Category: learning.Heuristics, Source: learning.Retro, Confidence: learning.Low}
	}
	segments := func() (n int) {
		db, err := sql.Open("sqlite", filepath.Join(dir, "memory.db"))
		require.NoError(t, err)
		require.NoError(t, db.QueryRow(`SELECT count(DISTINCT segid) FROM entries_fts_idx`).Scan(&n))
		require.NoError(t, db.Close())
		return n
	}
	many := make([]learning.Learning, 2000)
	for i := range many {
		many[i] = one()
	}
	_, err = s.Import(ctx, many, time.Now())
	require.NoError(t, err)
	require.Equal(t, 1, segments(), "after an import")
	for range 3 {
		_, err := s.Put(ctx, one(), store.Observation{})
		require.NoError(t, err)
	}
	require.Greater(t, segments(), 1)
	_, err = s.Expire(ctx, map[string]int{"/p": 180}, time.Now())
	require.NoError(t, err)
	require.Equal(t, 1, segments(), "after the day's first expiry")
	require.NoError(t, s.Close())
}
