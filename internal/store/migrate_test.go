package store

import (
	"context"
	"net/url"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// connected is a new connection to a file, made ready with a list of migrations.
func connected(t *testing.T, dir string, migrations []string) (*Store, error) {
	t.Helper()
	name := filepath.Join(dir, fileName)
	require.NoError(t, makeFile(name))
	s, err := connect(name, url.Values{"_pragma": {"busy_timeout(20000)"}, "_txlock": {"immediate"}})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s, s.prepare(context.Background(), migrations)
}

const second = `CREATE TABLE more (x); ALTER TABLE entries ADD COLUMN extra TEXT; UPDATE entries SET extra = name`

func TestMigration(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	old, err := connected(t, dir, migrations())
	require.NoError(t, err)
	_, err = old.db.Exec(`INSERT INTO entries (id, name, description, reasoning, category, source, folded, created_at, updated_at)
		VALUES ('1', 'a name', 'd', 'r', 'patterns', 'manual', 'f', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')`)
	require.NoError(t, err)
	newer := append(migrations(), second)

	require.ErrorContains(t, old.check(ctx, newer), "written by an older version: its schema is 2, and cannot be brought to 3")
	// any number at the same time, and each migration is run once
	var all sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		s, err := connect(filepath.Join(dir, fileName), url.Values{"_pragma": {"busy_timeout(20000)"}, "_txlock": {"immediate"}})
		require.NoError(t, err)
		all.Go(func() { errs[i] = s.prepare(ctx, newer); s.Close() })
	}
	all.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	var extra string
	require.NoError(t, old.db.QueryRow(`SELECT extra FROM entries`).Scan(&extra))
	require.Equal(t, "a name", extra)
	v, ours, err := version(ctx, old.db)
	require.NoError(t, err)
	require.True(t, ours)
	require.Equal(t, len(newer), v)
	require.NoError(t, old.check(ctx, newer))
	require.ErrorIs(t, old.check(ctx, migrations()), ErrNewer)
	_, err = connected(t, dir, migrations())
	require.ErrorIs(t, err, ErrNewer)
}

func TestAMigrationThatFailsLeavesTheOldVersion(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	_, err := connected(t, dir, migrations())
	require.NoError(t, err)
	s, err := connected(t, dir, append(migrations(), second, `CREATE TABLE more (x)`))
	require.ErrorContains(t, err, "migrate to schema 4")
	v, _, err := version(ctx, s.db)
	require.NoError(t, err)
	require.Equal(t, len(migrations()), v)
	require.NoError(t, s.check(ctx, migrations()))
	var n int
	require.NoError(t, s.db.QueryRow(`SELECT count(*) FROM sqlite_schema WHERE name = 'more'`).Scan(&n))
	require.Zero(t, n)
}

// A store of any version that was published can be read, and is migrated by it.
func TestAnOlderStoreIsRead(t *testing.T) {
	ctx := context.Background()
	for v := 1; v < len(migrations()); v++ {
		dir := t.TempDir()
		old, err := connected(t, dir, migrations()[:v])
		require.NoError(t, err)
		_, err = old.db.Exec(`INSERT INTO entries (id, name, description, reasoning, category, source, folded, created_at, updated_at)
			VALUES ('1', 'a name', 'quote the variables', 'r', 'patterns', 'manual', 'f', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')`)
		require.NoError(t, err)
		require.NoError(t, old.Close())
		s, err := OpenReadOnly(ctx, dir)
		require.NoError(t, err)
		hits, err := s.Search(ctx, Query{Text: "variables"})
		require.NoError(t, err)
		require.Len(t, hits, 1)
		require.NoError(t, s.Close())
	}
}
