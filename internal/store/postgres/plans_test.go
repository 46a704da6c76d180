package postgres_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/pgtest"
)

// explained are the plans of all statements that a member runs, those within functions too.
type explained struct {
	log  string
	from int64
}

// explain has the server write down the plans of what a member runs in connections to come.
func explain(t *testing.T, server *pgtest.Server, super *sql.DB, login string) *explained {
	t.Helper()
	for name, value := range map[string]string{"session_preload_libraries": "auto_explain", "auto_explain.log_min_duration": "0", "auto_explain.log_nested_statements": "on", "auto_explain.log_analyze": "on", "auto_explain.log_timing": "off"} {
		_, err := super.Exec(fmt.Sprintf(`ALTER ROLE %q SET %s = '%s'`, login, name, value))
		require.NoError(t, err)
	}
	return &explained{log: filepath.Join(server.Socket(), "log")}
}

// plans are those since the last time.
func (e *explained) plans(t *testing.T) []string {
	t.Helper()
	src, err := os.ReadFile(e.log)
	require.NoError(t, err)
	some := strings.Split(string(src[e.from:]), " plan:\n")[1:]
	e.from = int64(len(src))
	return some
}

// muchRead are the plans in which a table is read as a whole, or by whatever scan more rows
// than a question may be looked at in: of learnings and turns some thousands, of others few.
func muchRead(t *testing.T, plans []string) (bad []string) {
	t.Helper()
	most := map[string]int{"entries": 10_000, "turns": 10_000, "captured": 1000, "words": 1000, "observations": 1000}
	node := regexp.MustCompile(`(Seq )?Scan (?:using \w+ )?on (\w+).*\(actual rows=(\d+) loops=(\d+)\)`)
	without := regexp.MustCompile(`Rows Removed by (?:Filter|Index Recheck): (\d+)`)
	count := func(text string) int {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		return n
	}
	for _, plan := range plans {
		table, rows, loops, whole := "", 0, 0, false
		for line := range strings.Lines(plan) {
			if is := node.FindStringSubmatch(line); is != nil {
				table, loops, whole = is[2], count(is[4]), is[1] != ""
				rows = count(is[3]) * loops
			} else if is := without.FindStringSubmatch(line); is != nil {
				rows += count(is[1]) * loops
			}
			if limit, grows := most[table]; grows && (whole || rows > limit) {
				bad = append(bad, plan)
				break
			}
		}
	}
	return bad
}

// operation is a query or write for which a user waits.
type operation struct {
	name string
	run  func(ctx context.Context, s *store.Store, g *generator, i int) error
}

// operations are those of the hot path. They do something else with each number.
func operations() []operation {
	search := func(q store.Query) func(context.Context, *store.Store, *generator, int) error {
		q.Most, q.Evidence = 5, store.MinEvidence
		return func(ctx context.Context, s *store.Store, g *generator, i int) error {
			q.Text, q.Project = g.asked(), projectOf(i)
			_, err := s.Search(ctx, q)
			return err
		}
	}
	turns := func(q store.Query) func(context.Context, *store.Store, *generator, int) error {
		q.Most = 5
		return func(ctx context.Context, s *store.Store, g *generator, i int) error {
			q.Text, q.Project = g.asked(), projectOf(i)
			_, err := s.SearchTurns(ctx, q)
			return err
		}
	}
	of := func(seed uint64) func(i int) learning.Learning { // a learning of the beginning that ann sees
		g := newGenerator(seed)
		var all []learning.Learning
		for i := range 8 {
			all = append(all, g.learning(i))
		}
		return func(i int) learning.Learning { return all[2+i%6] }
	}
	known := of(1)
	get := func(name func(l learning.Learning) string) func(context.Context, *store.Store, *generator, int) error {
		return func(ctx context.Context, s *store.Store, _ *generator, i int) error {
			_, err := s.Get(ctx, store.Scope{Everything: true}, name(known(i)))
			return err
		}
	}
	return []operation{
		{"Search", search(store.Query{})},
		{"Search everywhere", search(store.Query{Everywhere: true})},
		{"SearchTurns", turns(store.Query{})},
		{"SearchTurns everywhere", turns(store.Query{Everywhere: true})},
		{"SearchTurns unasked", turns(store.Query{Unasked: true, Words: 2})},
		{"Get by id", get(func(l learning.Learning) string { return l.ID })},
		{"Get by name", get(func(l learning.Learning) string { return strings.ToUpper(l.Name) })},
		{"Get by prefix", get(func(l learning.Learning) string { return l.ID[:12] })},
		{"Put new", func(ctx context.Context, s *store.Store, g *generator, i int) error {
			l := g.learning(i)
			l.ID, l.Keywords = "", nil
			_, err := s.Put(ctx, l, store.Observation{Session: "new"})
			return err
		}},
		{"Put known", func(ctx context.Context, s *store.Store, _ *generator, i int) error {
			out, err := s.Put(ctx, known(i), store.Observation{Session: fmt.Sprint("again ", i)})
			if err == nil && !out.Reinforced {
				err = fmt.Errorf("%q was not known", out.Description)
			}
			return err
		}},
		{"Changes", func(ctx context.Context, s *store.Store, _ *generator, i int) error {
			_, err := s.Changes(ctx, store.Filter{Project: projectOf(i)}, 1000)
			return err
		}},
		{"Prominent", func(ctx context.Context, s *store.Store, _ *generator, i int) error {
			_, err := s.Prominent(ctx, projectOf(i), 5)
			return err
		}},
		{"List", func(ctx context.Context, s *store.Store, _ *generator, i int) error {
			_, err := s.List(ctx, store.Filter{Project: projectOf(i), Most: 10})
			return err
		}},
		{"Recalled", func(ctx context.Context, s *store.Store, _ *generator, i int) error {
			return s.Recalled(ctx, []string{known(i).ID, known(i + 1).ID}, time.Now())
		}},
		{"AddCaptured of 10", func(ctx context.Context, s *store.Store, g *generator, i int) error {
			c := store.Captured{Transcript: fmt.Sprint("/transcripts/", i), Session: fmt.Sprint("new ", i), Project: projectOf(i), Change: "quay", After: []byte("1")}
			for n := range 10 {
				c.Turns = append(c.Turns, store.Turn{UUID: fmt.Sprint("new ", i, "/", n), Role: "assistant", Kind: "answer", Text: g.said(), Fold: fmt.Sprint("fold ", n/2), Rank: n % 3})
			}
			c.Answer = &store.Turn{Role: "assistant", Kind: "answer", Text: g.said()}
			_, err := s.AddCaptured(ctx, c)
			return err
		}},
		{"AddCaptured of known ones", func(ctx context.Context, s *store.Store, g *generator, i int) error {
			c := store.Captured{Session: fmt.Sprint("new ", i), Turns: []store.Turn{{UUID: fmt.Sprint("new ", i, "/1"), Role: "assistant", Kind: "answer", Text: g.said(), Fold: "other"}}}
			_, err := s.AddCaptured(ctx, c)
			return err
		}},
		{"TranscriptState", func(ctx context.Context, s *store.Store, _ *generator, i int) error {
			_, err := s.TranscriptState(ctx, fmt.Sprint("/transcripts/", i))
			return err
		}},
	}
}

// Whatever somebody waits for finds its rows by indexes, in a store that is no longer small.
// Count and Stats read all that they count, and are not for the hot path.
func TestNoTableIsReadAsAWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("a store that is large enough takes half a minute to fill")
	}
	pgtest.Require(t)
	server := pgtest.StartOwn(t, pgtest.Options{})
	p := newPlace(t, server, 20_000, 20_000)
	super := p.super(t)
	e := explain(t, server, super, p.login)
	s := p.open(t)
	g := newGenerator(2)
	e.plans(t)
	for _, o := range operations() {
		for i := range 3 {
			require.NoError(t, o.run(t.Context(), s, g, i), o.name)
			plans := e.plans(t)
			require.NotEmpty(t, plans, o.name)
			require.Empty(t, muchRead(t, plans), o.name)
		}
	}
	// Statistics that are not there, as after a copy, do not mislead the ranking of rows.
	_, err := super.Exec(`DELETE FROM pg_statistic WHERE starelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'whence'::regnamespace)`)
	require.NoError(t, err)
	for _, o := range operations() {
		if strings.HasPrefix(o.name, "Search") {
			require.NoError(t, o.run(t.Context(), s, g, 50), o.name)
			ranking := slices.DeleteFunc(e.plans(t), func(plan string) bool { return !strings.Contains(plan, "ts_filter") })
			require.NotEmpty(t, ranking, o.name)
			require.Empty(t, muchRead(t, ranking), o.name)
		}
	}
	for _, missing := range []struct{ index, operation string }{
		{"turns_keys", "SearchTurns"}, {"entries_keys", "Search"}, {"entries_called", "Get by name"}, {"entries_folded", "Put new"}, {"captured_digest", "AddCaptured of 10"}, {"entries_observed", "Prominent"},
	} {
		_, err := super.Exec(`DROP INDEX whence.` + missing.index)
		require.NoError(t, err)
		for _, o := range operations() {
			if o.name == missing.operation {
				require.NoError(t, o.run(t.Context(), s, g, 100), o.name)
				require.NotEmpty(t, muchRead(t, e.plans(t)), "without %s it would be seen", missing.index)
			}
		}
	}
}
