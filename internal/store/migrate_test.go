package store

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

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

	require.ErrorContains(t, old.checkSchema(ctx, newer), fmt.Sprintf("written by an older version: its schema is %d, and cannot be brought to %d", len(migrations()), len(newer)))
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
	v, err := old.conn.schemaVersion(ctx, newer)
	require.NoError(t, err)
	require.Equal(t, len(newer), v)
	require.NoError(t, old.checkSchema(ctx, newer))
	require.ErrorIs(t, old.checkSchema(ctx, migrations()), ErrNewer)
	_, err = connected(t, dir, migrations())
	require.ErrorIs(t, err, ErrNewer)
}

func TestAMigrationThatFailsLeavesTheOldVersion(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	_, err := connected(t, dir, migrations())
	require.NoError(t, err)
	s, err := connected(t, dir, append(migrations(), second, `CREATE TABLE more (x)`))
	require.ErrorContains(t, err, fmt.Sprintf("migrate to schema %d", len(migrations())+2))
	v, err := s.conn.schemaVersion(ctx, migrations())
	require.NoError(t, err)
	require.Equal(t, len(migrations()), v)
	require.NoError(t, s.checkSchema(ctx, migrations()))
	var n int
	require.NoError(t, s.db.QueryRow(`SELECT count(*) FROM sqlite_schema WHERE name = 'more'`).Scan(&n))
	require.Zero(t, n)
}

// older is a store of a schema that was published, with a learning and a turn.
func older(t *testing.T, v int) (dir string, s *Store) {
	t.Helper()
	dir = t.TempDir()
	s, err := connected(t, dir, migrations()[:v])
	require.NoError(t, err)
	for _, statement := range []string{
		`INSERT INTO entries (id, name, description, reasoning, category, source, folded, created_at, updated_at)
			VALUES ('1', 'a name', 'quote the variables of retryCount', 'r', 'patterns', 'manual', 'f', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')`,
		`INSERT INTO captured (seq, uuid, session, turn, rank) VALUES (1, 'u', 's', 1, 0)`,
		`INSERT INTO turns (seq, session, uuid, role, text, created_at) VALUES (1, 's', 'u', 'user', 'the naïve schedulers', '2026-01-01T00:00:00Z')`,
		`UPDATE turns SET nearby = ''`,
	} {
		_, err := s.db.Exec(statement)
		require.NoError(t, err)
	}
	return dir, s
}

func readFile(t *testing.T, dir string) []byte {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(dir, fileName))
	require.NoError(t, err)
	return src
}

func requireFound(t *testing.T, s *Store) {
	t.Helper()
	hits, err := s.Search(context.Background(), Query{Text: "variable"})
	require.NoError(t, err)
	require.Len(t, hits, 1)
	turns, err := s.SearchTurns(context.Background(), Query{Text: "naive scheduler"})
	require.NoError(t, err)
	require.Len(t, turns, 1)
}

// A store of any version that was published can be read.
func TestAnOlderStoreIsRead(t *testing.T) {
	for v := 1; v < len(migrations()); v++ {
		dir, old := older(t, v)
		require.NoError(t, old.Close())
		before := readFile(t, dir)
		s, err := OpenReadOnly(context.Background(), dir)
		require.NoError(t, err)
		requireFound(t, s)
		require.NoError(t, s.Close())
		if v == indexedSince-1 {
			require.Equal(t, before, readFile(t, dir), "a reader changes nothing")
		}
		s, err = Open(context.Background(), dir)
		require.NoError(t, err)
		requireFound(t, s)
		hits, err := s.Search(context.Background(), Query{Text: "retry"})
		require.NoError(t, err)
		require.Len(t, hits, 1)
		c, err := s.Check(context.Background(), time.Now())
		require.NoError(t, err)
		require.NotContains(t, strings.Join(c.Faults, "\n"), "full-text")
		require.NoError(t, s.Close())
	}
}

// A program of an older version that has the file open goes on writing; what it writes is found
// once the file is opened again.
func TestAnOlderProgramGoesOn(t *testing.T) {
	ctx := context.Background()
	dir, old := older(t, indexedSince-1)
	s, err := Open(ctx, dir)
	require.NoError(t, err)
	for _, statement := range []string{
		`INSERT INTO entries (id, name, description, reasoning, category, parts, source, folded, created_at, updated_at)
			VALUES ('2', 'another', 'jitter for harbours', 'r', 'patterns', 'p', 'manual', 'g', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')`,
		`UPDATE entries SET description = 'quote no variables' WHERE id = '1'`,
		`DELETE FROM turns`,
		`INSERT INTO turns (seq, session, uuid, role, text, created_at) VALUES (1, 's', 'u', 'user', 'cranes', '2026-01-01T00:00:00Z')`,
		`UPDATE turns SET seq = 5, nearby = 'and tugs'`,
		`INSERT INTO turns_fts (turns_fts, rank) VALUES ('merge', -500)`,
	} {
		_, err := old.db.Exec(statement)
		require.NoError(t, err, statement)
	}
	var n int
	require.NoError(t, old.db.QueryRow(`SELECT count(*) FROM entries_fts WHERE entries_fts MATCH '"jitter"' AND rank MATCH 'bm25(2.0, 0.5, 2.0, 0.7, 0.5)'`).Scan(&n))
	require.Zero(t, n)
	require.NoError(t, s.Close())
	s, err = Open(ctx, dir)
	require.NoError(t, err)
	defer s.Close()
	for text, want := range map[string]int{"harbour jitter": 1, "variable": 1, "retry": 0} {
		hits, err := s.Search(ctx, Query{Text: text})
		require.NoError(t, err)
		require.Len(t, hits, want, text)
	}
	for text, want := range map[string]int{"crane": 1, "tug": 1, "scheduler": 0} {
		hits, err := s.SearchTurns(ctx, Query{Text: text})
		require.NoError(t, err)
		require.Len(t, hits, want, text)
	}
	c, err := s.Check(ctx, time.Now())
	require.NoError(t, err)
	require.NotContains(t, strings.Join(c.Faults, "\n"), "full-text")
}
