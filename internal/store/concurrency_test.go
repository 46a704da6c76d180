package store_test

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

type learningType = learning.Learning

// number is an argument of a process.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

// distinct returns a text that is unlike any other.
func distinct(process, step int) string {
	return fmt.Sprintf("module_%d_%d keeps a pool of its own, the queue of module_%d_%d does not drain", process, step, process, step)
}

// mixed reads and writes in turns, with a new connection now and then. With a third argument
// it says what each operation was, and how many nanoseconds it took.
func mixed(dir string, args []string) error {
	ctx := context.Background()
	process, operations := number(args[0]), number(args[1])
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var s *store.Store
	for i := range operations {
		start := time.Now()
		if i%50 == 0 {
			if s != nil {
				if err := s.Close(); err != nil {
					return fmt.Errorf("close: %w", err)
				}
			}
			var err error
			if s, err = store.Open(ctx, dir); err != nil {
				return err
			}
		}
		o := mixture[i%len(mixture)]
		if err := o.run(ctx, s, dir, process, i); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
		if len(args) > 2 && i%50 != 0 {
			fmt.Fprintln(out, o.name, time.Since(start).Nanoseconds())
		}
	}
	return s.Close()
}

type operation struct {
	name string
	run  func(ctx context.Context, s *store.Store, dir string, process, i int) error
}

// putDistinct stores a learning of its own.
var putDistinct = operation{"Put", func(ctx context.Context, s *store.Store, _ string, process, i int) error {
	out, err := s.Put(ctx, learned(distinct(process, i)), store.Observation{Session: fmt.Sprint("session ", process)})
	if err == nil && out.Reinforced {
		err = fmt.Errorf("%q was known", out.Description)
	}
	return err
}}

// mixture holds the operations that each process repeats.
var mixture = []operation{putDistinct, putDistinct, putDistinct, putDistinct,
	{"AddReading", func(ctx context.Context, s *store.Store, _ string, process, i int) error {
		path := fmt.Sprint("/transcript", process, "-", i)
		_, err := storetest.AddTurns(ctx, s, store.Transcript{Path: path, Session: "shared"},
			store.Turn{Session: "shared", UUID: fmt.Sprint(process, "/", i), Text: "the queue of the pool"},
			store.Turn{Session: fmt.Sprint("session ", process), UUID: fmt.Sprint(process, "-", i), Text: "it drains"})
		return err
	}},
	{"Shown", func(ctx context.Context, s *store.Store, _ string, process, i int) error {
		return s.Shown(ctx, all, []string{learning.ID(distinct(process, i-5))}, time.Now())
	}},
	{"Found", func(ctx context.Context, s *store.Store, _ string, process, i int) error {
		return s.Found(ctx, all, []string{learning.ID(distinct(process, i-6))}, time.Now())
	}},
	{"Search", func(ctx context.Context, s *store.Store, _ string, _, _ int) error {
		hits, err := s.Search(ctx, store.Query{Text: "which queue does not drain", Max: 3})
		if err == nil && len(hits) == 0 {
			err = fmt.Errorf("nothing found")
		}
		return err
	}},
	{"List", func(ctx context.Context, s *store.Store, _ string, _, _ int) error {
		_, err := s.List(ctx, store.Query{Max: 10})
		return err
	}},
	{"Open+Get", func(ctx context.Context, _ *store.Store, dir string, process, i int) error {
		r, err := store.OpenReadOnly(ctx, dir)
		if err != nil {
			return err
		}
		_, err = r.Get(ctx, all, learning.ID(distinct(process, i-9)))
		r.Close()
		return err
	}},
}

func TestNothingIsLostAmongManyProcesses(t *testing.T) {
	const processes = 8
	dir := t.TempDir()
	operations := 100
	if repotest.Long() {
		operations = 1000
	}
	run(t, processes, "mix", dir, strconv.Itoa(operations))
	requireAll(t, dir, processes*operations)
	requireSound(t, dir)
	require.Equal(t, []string{"memory.db"}, names(t, dir), "the last one has put the log away")
}

// requireAll requires that the writes of so many operations of the mixture are stored.
func requireAll(t testing.TB, dir string, operations int) {
	t.Helper()
	tenth := operations / 10
	requireCounts(t, dir, map[string]int{
		`SELECT count(*) FROM entries`:               4 * tenth,
		`SELECT count(*) FROM observations`:          4 * tenth,
		`SELECT count(*) FROM turns`:                 2 * tenth,
		`SELECT sum(recall_count) FROM entries`:      tenth,
		`SELECT sum(search_count) FROM entries`:      tenth,
		`SELECT count(DISTINCT id) FROM entries`:     4 * tenth,
		`SELECT count(DISTINCT folded) FROM entries`: 4 * tenth,
	})
}

// raw opens the database of a store without the store.
func raw(t testing.TB, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", file(dir))
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

func requireCounts(t testing.TB, dir string, counts map[string]int) {
	t.Helper()
	db := raw(t, dir)
	defer db.Close()
	for query, want := range counts {
		var got int
		require.NoError(t, db.QueryRow(query).Scan(&got), query)
		require.Equal(t, want, got, query)
	}
}

func requireSoundFile(t *testing.T, db *sql.DB) {
	t.Helper()
	var verdict string
	require.NoError(t, db.QueryRow(`PRAGMA integrity_check`).Scan(&verdict))
	require.Equal(t, "ok", verdict)
	var n int
	require.NoError(t, db.QueryRow(`SELECT count(*) FROM pragma_foreign_key_check`).Scan(&n))
	require.Zero(t, n)
}

// requireSound requires that database, indexes and full-text indexes are consistent, and that
// no row is incomplete.
func requireSound(t *testing.T, dir string) {
	t.Helper()
	db := raw(t, dir)
	defer db.Close()
	requireSoundFile(t, db)
	for _, query := range []string{
		`SELECT count(*) FROM entries e WHERE observation_count != (SELECT count(*) FROM observations WHERE entry = e.seq)`,
		`SELECT count(*) FROM entries WHERE seq NOT IN (SELECT rowid FROM entries_fts)`,
		`SELECT count(*) FROM turns WHERE seq NOT IN (SELECT rowid FROM turns_fts)`,
		`SELECT (SELECT count(*) FROM entries_fts) - (SELECT count(*) FROM entries)`,
		`SELECT (SELECT count(*) FROM turns_fts) - (SELECT count(*) FROM turns)`,
	} {
		var n int
		require.NoError(t, db.QueryRow(query).Scan(&n), query)
		require.Zero(t, n, query)
	}
}

const said = "always close the response body of a request"

func putSame(dir string, args []string) error {
	s, err := store.Open(context.Background(), dir)
	if err != nil {
		return err
	}
	if _, err := s.Put(context.Background(), learned(said), store.Observation{Session: args[0]}); err != nil {
		return err
	}
	return s.Close()
}

func TestTheSameTextOfManyProcessesIsOneLearning(t *testing.T) {
	dir := t.TempDir()
	run(t, 8, "same", dir)
	requireCounts(t, dir, map[string]int{
		`SELECT count(*) FROM entries`:                             1,
		`SELECT observation_count FROM entries`:                    8,
		`SELECT count(*) FROM observations`:                        8,
		`SELECT count(*) FROM entries WHERE confidence = 'medium'`: 1,
		`SELECT count(DISTINCT session) FROM observations`:         8,
	})
}

func TestManyProcessesOpenANewStore(t *testing.T) {
	rounds := 3
	if repotest.Long() {
		rounds = 12
	}
	for range rounds {
		dir := filepath.Join(t.TempDir(), "new")
		time.AfterFunc(150*time.Millisecond, func() { _ = os.WriteFile(dir+".go", nil, 0o600) })
		run(t, 8, "open", dir)
		requireCounts(t, dir, map[string]int{`SELECT count(*) FROM entries`: 8})
	}
}

// Two stores in one process are two connections to one file: neither may take the locks
// of the other away.
func TestStoresOfOneProcess(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	one := open(t, dir)
	const rounds = 5
	for i := range rounds {
		two, err := store.Open(ctx, dir)
		require.NoError(t, err)
		_, err = two.Put(ctx, learned(distinct(1, i)), store.Observation{})
		require.NoError(t, err)
		require.NoError(t, two.Close())
		run(t, 1, "same", dir) // when it closes, it must not take itself for the last one
		_, err = one.Put(ctx, learned(distinct(2, i)), store.Observation{})
		require.NoError(t, err)
		require.Contains(t, names(t, dir), "memory.db-wal")
	}
	require.NoError(t, one.Close())
	requireCounts(t, dir, map[string]int{`SELECT count(*) FROM entries`: 2*rounds + 1})
	requireSound(t, dir)
}

func TestASearchWaitsForNoWriter(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	s := open(t, dir)
	_, err := s.Put(ctx, learned("the one that is held is about quoting variables"), store.Observation{})
	require.NoError(t, err)
	_, err = s.Edit(ctx, all, learning.ID("the one that is held is about quoting variables"), noon, func(l *learning.Learning) error {
		l.Name = "the one that is held"
		return nil
	})
	require.NoError(t, err)
	background(t, "hold", dir)
	for range 10 { // one that waited would fail in the end
		r, err := store.OpenReadOnly(ctx, dir)
		require.NoError(t, err)
		hits, err := r.Search(ctx, store.Query{Text: "quoting"})
		require.NoError(t, err)
		require.Len(t, hits, 1)
		require.NoError(t, r.Close())
		hits, err = s.Search(ctx, store.Query{Text: "quoting"})
		require.NoError(t, err)
		require.Len(t, hits, 1)
	}
}
