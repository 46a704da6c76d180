package store_test

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

// all is all that a store holds, as one record.
func all(t *testing.T, s *store.Store, scope store.Scope) (whole store.Records) {
	t.Helper()
	for r, err := range s.Dump(context.Background(), scope) {
		require.NoError(t, err)
		whole.Learnings = append(whole.Learnings, r.Learnings...)
		whole.Sessions = append(whole.Sessions, r.Sessions...)
	}
	return whole
}

var everything = store.Scope{Everything: true}

// copyAll copies a store into another one, and returns what became of it.
func copyAll(t *testing.T, from, to *store.Store) (loaded store.Loaded) {
	t.Helper()
	for r, err := range from.Dump(context.Background(), everything) {
		require.NoError(t, err)
		expected, err := to.Known(context.Background(), r)
		require.NoError(t, err)
		some, err := to.Load(context.Background(), r)
		require.NoError(t, err)
		require.Equal(t, expected, some)
		loaded.Add(some)
	}
	return loaded
}

// allRows are the rows of a query, as text.
func allRows(t *testing.T, dir, query string) (all []string) {
	t.Helper()
	db := raw(t, dir)
	defer db.Close()
	found, err := db.Query(query)
	require.NoError(t, err)
	defer found.Close()
	columns, err := found.Columns()
	require.NoError(t, err)
	for found.Next() {
		values := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		require.NoError(t, found.Scan(into...))
		all = append(all, fmt.Sprintf("%q", values))
	}
	require.NoError(t, found.Err())
	return all
}

// copied are all columns that a copy has too, by table; left are those that it has not,
// each with the reason.
var (
	copied = map[string]string{
		"entries":      `id, name, description, reasoning, category, keywords, source, source_project, "references", observation_count, confidence, recall_count, last_recalled_at, search_count, last_used_at, retired, folded, personal, created_at, updated_at`,
		"observations": "session, at",
		"sessions":     "id, change",
		"captured":     "uuid, session, rank, digest",
		"turns":        "session, uuid, role, kind, text, nearby, fold, count, rank, change, tags, project, created_at, personal",
	}
	left = map[string]string{
		"entries.seq": "each store has its own", "entries.revision": "each store has its own", "entries.source_hash": "nothing is ever written there", "entries.embedding": "it is made anew",
		"observations.entry":       "that of the learning",
		"sessions.silent_captures": "the budget is one of this machine", "sessions.updated_at": "the budget is one of this machine",
		"captured.seq": "the order is kept, not the number", "captured.turn": "the order is kept, not the number", "turns.seq": "the order is kept, not the number",
		"rejections": "what was turned down in a session counts where that runs", "transcripts": "how far files of this machine were read",
		"meta": "of this store", "forgotten": "for copies of this store", "delivered": "to this store",
		"entries_fts": "made of the rows", "turns_fts": "made of the rows", "entries_words": "made of the rows", "turns_words": "made of the rows",
	}
)

// A new column is either copied, or listed here with the reason.
func TestEveryColumnIsCopiedOrLeft(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	dir := t.TempDir()
	open(t, dir)
	db := raw(t, dir)
	found, err := db.Query(`SELECT t.name, c.name FROM pragma_table_list t JOIN pragma_table_xinfo(t.name) c WHERE t.schema = 'main' AND t.type IN ('table', 'virtual') AND t.name NOT LIKE 'sqlite_%' AND c.name NOT IN (t.name, 'rank')`)
	require.NoError(t, err)
	defer found.Close()
	n := 0
	for found.Next() {
		var table, column string
		require.NoError(t, found.Scan(&table, &column))
		isCopied := slices.Contains(strings.Split(strings.ReplaceAll(copied[table], `"`, ""), ", "), column)
		isLeft := left[table] != "" || left[table+"."+column] != ""
		require.True(t, isCopied != isLeft, "%s.%s is copied by Dump and Load, or stands in the list of what is left: which?", table, column)
		n++
	}
	require.NoError(t, found.Err())
	require.Greater(t, n, 60)
}

// requireSame requires that two stores hold the same, in the same order.
func requireSame(t *testing.T, a, b string) {
	t.Helper()
	for table, columns := range copied {
		order := ` ORDER BY seq`
		if table == "observations" || table == "sessions" {
			order = ` ORDER BY 1, 2`
		}
		query := `SELECT ` + columns + ` FROM ` + table + order
		switch table {
		case "observations":
			query = `SELECT (SELECT id FROM entries WHERE seq = entry), ` + columns + ` FROM ` + table + ` ORDER BY 1, ` + columns
		case "sessions":
			query = `SELECT ` + columns + ` FROM sessions WHERE change <> ''` + order
		case "captured":
			// Sessions that are read in turns come one behind the other.
			query = `SELECT ` + columns + `, (SELECT uuid FROM turns WHERE seq = turn) FROM captured ORDER BY session, seq`
		case "turns":
			query = `SELECT ` + columns + ` FROM turns ORDER BY session, seq`
		}
		require.Equal(t, allRows(t, a, query), allRows(t, b, query), table)
	}
}

// something does anything to a store.
func something(t *testing.T, s *store.Store, random *rand.Rand, name string, step int) {
	t.Helper()
	ctx := context.Background()
	at := noon.Add(time.Duration(random.Intn(100)) * time.Minute)
	one := func() string { return learning.ID(fact(random.Intn(8))) }
	session := func() string { return string(rune('a' + random.Intn(3))) }
	switch random.Intn(12) {
	case 0, 1, 2:
		l := learned(fact(random.Intn(8)))
		l.Personal = random.Intn(3) == 0
		l.Project = []string{"", "/x/.git", "/y/.git"}[random.Intn(3)]
		l.References = []string{fmt.Sprint("file", random.Intn(3))}
		_, err := s.Put(ctx, l, store.Observation{At: at, Session: []string{"", "a", "b"}[random.Intn(3)], Revive: random.Intn(2) == 0})
		require.NoError(t, err)
	case 3:
		_, err := s.Edit(ctx, one(), at, func(l *learning.Learning) error {
			l.Retired = []string{"", "wrong", "outdated"}[random.Intn(3)]
			return nil
		})
		if err != nil {
			require.ErrorIs(t, err, store.ErrUnknown)
		}
	case 4:
		require.NoError(t, s.Found(ctx, []string{one()}, at))
		require.NoError(t, s.Recalled(ctx, []string{one()}, at))
	case 5:
		if _, err := s.Edit(ctx, one(), at, func(l *learning.Learning) error {
			l.Name, l.Reasoning = fmt.Sprint("a name of ", name, step), ""
			return nil
		}); err != nil {
			require.ErrorIs(t, err, store.ErrUnknown)
		}
	case 6:
		if random.Intn(4) == 0 {
			_, err := s.Prune(ctx, store.PruneOptions{Session: session(), Everywhere: true, Before: at})
			require.NoError(t, err)
		}
	default:
		var some []store.Turn
		c := store.Captured{Session: session(), Project: []string{"/x/.git", "/y/.git"}[random.Intn(2)], Shared: random.Intn(3) == 0, Never: random.Intn(8) == 0}
		if random.Intn(3) == 0 {
			c.Change = []string{"cache", "login"}[random.Intn(2)]
		}
		for i := range 1 + random.Intn(5) {
			said := turn(c.Session, step*10+i, fmt.Sprintf("%s speaks of %s", name, fact(random.Intn(8))))
			said.UUID, said.At, said.Rank = fmt.Sprint(name, step, "/", i), at, random.Intn(4)
			if random.Intn(3) == 0 {
				said.Fold = fmt.Sprint("fold", random.Intn(3))
			}
			some = append(some, said)
		}
		c.Turns = some
		if random.Intn(4) == 0 {
			c.Answer = &store.Turn{Role: "assistant", Text: fmt.Sprint("an answer of ", random.Intn(5)), At: at}
			if random.Intn(2) == 0 {
				c.Turns = append(c.Turns, store.Turn{UUID: fmt.Sprint(name, step, "/answer"), Role: "assistant", Text: fmt.Sprint("an answer of ", random.Intn(5), ", at length"), At: at})
			}
		}
		_, err := s.AddCapturedWithin(ctx, c, 30)
		require.NoError(t, err)
	}
}

// fact is one of some learnings that differ.
func fact(i int) string {
	return []string{
		"always quote shell variables in hooks", "never quote shell variables in hooks", "the queue retries each message three times",
		"migrations run before the deploy", "fares are integers in cents of the currency", "the pool keeps nine idle connections open",
		"tests of the parser need the corpus", "a token of the sandbox lives for an hour",
	}[i]
}

// A copy of a copy holds what the first store held, and copying again changes nothing.
func TestACopyOfACopyIsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	for seed := range int64(15) {
		random := rand.New(rand.NewSource(seed))
		var dirs [3]string
		var stores [3]*store.Store
		for i := range dirs {
			dirs[i] = t.TempDir()
			stores[i] = open(t, dirs[i])
		}
		for step := range 10 + random.Intn(60) {
			something(t, stores[0], random, "a", step)
		}
		first := copyAll(t, stores[0], stores[1])
		require.Zero(t, first.KnownLearnings+first.KnownTurns)
		copyAll(t, stores[1], stores[2])
		for _, other := range dirs[1:] {
			requireSame(t, dirs[0], other)
			requireSound(t, other)
		}
		before := allRows(t, dirs[2], `SELECT * FROM entries`)
		again := copyAll(t, stores[0], stores[2])
		require.Equal(t, store.Loaded{Learnings: first.Learnings, KnownLearnings: first.Learnings, Turns: first.Turns, KnownTurns: first.Turns}, again)
		requireSame(t, dirs[0], dirs[2])
		require.Equal(t, before, allRows(t, dirs[2], `SELECT * FROM entries`), "not even the order of changes")
	}
}

// Of two stores that have grown apart, or never met, neither loses anything when they are
// copied into each other; then both hold the same learnings and turns.
func TestStoresThatHaveGrownApart(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		n := int64(15)
		if t.Name() != "TestStoresThatHaveGrownApart/sqlite" {
			n = n/10 + 1
		}
		for seed := range n {
			growApart(t, seed, place(t))
		}
	})
}

func growApart(t *testing.T, seed int64, place string) {
	random := rand.New(rand.NewSource(seed))
	dirs := [2]string{t.TempDir(), place}
	a, b := open(t, dirs[0]), open(t, dirs[1])
	for step := range random.Intn(40) {
		something(t, a, random, "both", step)
	}
	copyAll(t, a, b)
	for step := range random.Intn(30) {
		something(t, a, random, "a", step)
		something(t, b, random, "b", step)
	}
	before := [2]store.Records{all(t, a, everything), all(t, b, everything)}
	copyAll(t, a, b)
	requireSound(t, dirs[1])
	requireHolds(t, all(t, b, everything), before[0], before[1])
	requireOrder(t, before[1], all(t, b, everything))

	settled := all(t, b, everything)
	copyAll(t, a, b)
	require.Equal(t, settled, all(t, b, everything), "again")

	copyAll(t, b, a)
	requireSound(t, dirs[0])
	requireHolds(t, all(t, a, everything), before[1], before[0])
	requireOrder(t, before[0], all(t, a, everything))
	require.Equal(t, known(settled), known(all(t, a, everything)), "seed %d", seed)
}

// known returns what two stores that were copied into each other have in common: each learning
// without its texts, and the captured turns.
func known(r store.Records) map[string]string {
	all := map[string]string{}
	for _, l := range r.Learnings {
		slices.SortFunc(l.Observed, func(a, b store.Observation) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Session, b.Session)) })
		slices.Sort(l.References)
		l.Name, l.Reasoning, l.Keywords = "", "", nil
		all[l.ID] = fmt.Sprint(l.Learning, l.Found, l.Observed)
	}
	for _, s := range r.Sessions {
		all["session "+s.ID] = s.Change
		for _, turn := range s.Turns {
			if !strings.HasPrefix(turn.UUID, "told:") { // the answer may be in a turn
				all["turn "+turn.UUID] = s.ID
			}
		}
	}
	return all
}

// requireHolds requires that nothing of some records is lost in others; the last ones were there.
func requireHolds(t *testing.T, in store.Records, parts ...store.Records) {
	t.Helper()
	learnings, turns := map[string]store.Recorded{}, map[string]store.Arrival{}
	texts := map[string]string{}
	for _, l := range in.Learnings {
		learnings[l.ID] = l
	}
	for _, s := range in.Sessions {
		for _, turn := range s.Turns {
			turns[turn.UUID] = turn
			if turn.Kept != nil {
				texts[s.ID] += turn.Kept.Text + "\n"
			}
		}
	}
	for _, part := range parts {
		for _, want := range part.Learnings {
			is, found := learnings[want.ID]
			require.True(t, found, want.Description)
			require.GreaterOrEqual(t, is.Learning.Observations, want.Learning.Observations)
			require.GreaterOrEqual(t, is.Recalls, want.Recalls)
			require.GreaterOrEqual(t, is.Found, want.Found)
			require.Subset(t, is.Observed, want.Observed)
			require.Subset(t, is.References, want.References)
			require.Equal(t, is.Personal && want.Personal, is.Personal, "what others saw they see")
		}
		for _, s := range part.Sessions {
			for _, want := range s.Turns {
				is, found := turns[want.UUID]
				if strings.HasPrefix(want.UUID, "told:") {
					deleted := want.Kept == nil || found && is.Kept == nil
					require.True(t, deleted || strings.Contains(texts[s.ID], want.Kept.Text), want.UUID)
					continue
				}
				require.True(t, found, want.UUID)
			}
		}
	}
	for _, want := range parts[len(parts)-1].Sessions { // what was kept where it was copied to is
		for _, turn := range want.Turns {
			if turn.Kept != nil && !strings.HasPrefix(turn.UUID, "told:") {
				require.NotEmpty(t, turns[turn.UUID].With, turn.UUID)
			}
		}
	}
}

// requireOrder requires that turns of sessions are in the order in which they were before.
func requireOrder(t *testing.T, before, after store.Records) {
	t.Helper()
	order := map[string]int{}
	for _, s := range after.Sessions {
		for i, turn := range s.Turns {
			order[turn.UUID] = i + 1
		}
	}
	for _, s := range before.Sessions {
		last := 0
		for _, turn := range s.Turns {
			if at := order[turn.UUID]; at > 0 {
				require.Greater(t, at, last, turn.UUID)
				last = at
			}
		}
	}
}

// Turns that were captured before known ones are ordered before them.
func TestTheOrderOfASessionIsThatOfBoth(t *testing.T) {
	onEach(t, theOrderOfBoth)
}

func theOrderOfBoth(t *testing.T, place newStore) {
	ctx := context.Background()
	whole := []string{"1", "2", "3", "4", "5", "6"}
	for here, want := range map[string]string{
		"":        "1 2 3 4 5 6",
		"1 2":     "1 2 3 4 5 6",
		"5":       "1 2 3 4 5 6",
		"2 5":     "1 2 3 4 5 6",
		"x 5 y":   "x 1 2 3 4 5 y 6",
		"5 2":     "1 2 3 4 5 2 6", // as it is here
		"x y":     "x y 1 2 3 4 5 6",
		"1 x 6 y": "1 x 2 3 4 5 6 y",
	} {
		from, dir := open(t, t.TempDir()), place(t)
		to := open(t, dir)
		for s, uuids := range map[*store.Store][]string{from: whole, to: strings.Fields(here)} {
			for _, uuid := range uuids {
				_, err := s.AddCaptured(ctx, store.Captured{Turns: []store.Turn{{Session: "s", UUID: uuid, Role: "user", Text: "number " + uuid, At: noon}}})
				require.NoError(t, err)
			}
		}
		copyAll(t, from, to)
		var order []string
		for _, turn := range all(t, to, everything).Sessions[0].Turns {
			order = append(order, turn.UUID)
		}
		if here == "5 2" {
			require.Subset(t, order, whole)
			require.Less(t, slices.Index(order, "5"), slices.Index(order, "2"))
		} else {
			require.Equal(t, want, strings.Join(order, " "), here)
		}
		requireSound(t, dir)
		hits, err := to.SearchTurns(ctx, store.Query{Text: "number 1", Everywhere: true})
		require.NoError(t, err)
		require.NotEmpty(t, hits)
	}
}

// A scope means the learnings of a project, the global ones, and its turns alone.
func TestAScope(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	ctx := context.Background()
	s := open(t, t.TempDir())
	for i, project := range []string{"", "/x/.git", "/y/.git"} {
		l := learned(fact(i))
		l.Project = project
		_, err := s.Put(ctx, l, store.Observation{At: noon})
		require.NoError(t, err)
		for _, session := range []string{"shared", "of " + project} {
			_, err = s.AddCaptured(ctx, store.Captured{Session: session, Project: project, Turns: []store.Turn{{UUID: session + project, Role: "user", Text: "speaks of " + project, At: noon}}})
			require.NoError(t, err)
		}
	}
	r := all(t, s, store.Scope{Project: "/x/.git", Talk: "/x/.git"})
	var have []string
	for _, l := range r.Learnings {
		have = append(have, l.Project)
	}
	for _, session := range r.Sessions {
		for _, turn := range session.Turns {
			have = append(have, turn.UUID)
		}
	}
	require.Equal(t, []string{"", "/x/.git", "shared/x/.git", "of /x/.git/x/.git"}, have)
}

// What was deleted where it is copied to stays deleted, and what is too much for a session
// takes the place of nothing.
func TestWhatIsGoneDoesNotComeByACopy(t *testing.T) {
	onEach(t, whatIsGone)
}

func whatIsGone(t *testing.T, place newStore) {
	ctx := context.Background()
	dir := place(t)
	from, to := open(t, t.TempDir()), open(t, dir)
	var turns []store.Turn
	for i := range 20 {
		turns = append(turns, turn("s", i, fmt.Sprint("number ", i)))
	}
	for _, s := range []*store.Store{from, to} {
		_, err := s.AddCaptured(ctx, store.Captured{Turns: turns[:10]})
		require.NoError(t, err)
	}
	_, err := to.Prune(ctx, store.PruneOptions{Session: "s", Everywhere: true})
	require.NoError(t, err)
	_, err = from.AddCaptured(ctx, store.Captured{Turns: turns[10:]})
	require.NoError(t, err)
	copyAll(t, from, to)
	require.Equal(t, []string{`["10"]`}, allRows(t, dir, `SELECT CAST(count(*) AS TEXT) FROM turns`))
	requireSound(t, dir)

	long := open(t, place(t))
	var some []store.Turn
	for i := range 2000 {
		some = append(some, turn("s", 100+i, fmt.Sprint("number ", i)))
	}
	_, err = long.AddCaptured(ctx, store.Captured{Turns: some})
	require.NoError(t, err)
	for i := range turns {
		turns[i].Rank = 5
	}
	_, err = from.AddCaptured(ctx, store.Captured{Turns: turns})
	require.NoError(t, err)
	copyAll(t, from, long)
	for _, turn := range all(t, long, everything).Sessions[0].Turns {
		require.Equal(t, !slices.ContainsFunc(turns, func(is store.Turn) bool { return is.UUID == turn.UUID }), turn.Kept != nil)
	}
}

// A record with what no store takes is an error that names it, and nothing is stored.
func TestARecordThatCannotBeStored(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	ctx := context.Background()
	s := open(t, t.TempDir())
	good, bad := store.Recorded{Learning: learned(fact(0))}, store.Recorded{Learning: learned(fact(1))}
	bad.Name = ""
	_, err := s.Load(ctx, store.Records{Learnings: []store.Recorded{good, bad}})
	require.ErrorContains(t, err, learning.ID(fact(1)))
	require.ErrorContains(t, err, "name must be non-empty")
	require.Empty(t, all(t, s, everything).Learnings)
}

// copyTo copies a store into another one, and says so after each piece.
func copyTo(dir string, args []string) error {
	ctx := context.Background()
	from, err := store.OpenReadOnly(ctx, args[0])
	if err != nil {
		return err
	}
	to, err := store.Open(ctx, dir)
	if err != nil {
		return err
	}
	for r, err := range from.Dump(ctx, everything) {
		if err == nil {
			_, err = to.Load(ctx, r)
		}
		if err != nil {
			return err
		}
		fmt.Println("copied")
	}
	return errors.Join(from.Close(), to.Close())
}

// However often a copy is killed, in the end it is that of one which was not.
func TestAKilledCopyGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	random := rand.New(rand.NewSource(1))
	from := t.TempDir()
	s := open(t, from)
	for step := range 400 {
		something(t, s, random, "a", step)
	}
	var learnings []learning.Learning
	g := newGenerator(3)
	for i := range 1200 {
		learnings = append(learnings, g.learning(i))
	}
	_, err := s.Import(context.Background(), learnings, noon)
	require.NoError(t, err)
	var turns []store.Turn
	for i := range 3000 {
		turns = append(turns, store.Turn{Session: fmt.Sprint("of ", i/100), UUID: fmt.Sprint("of ", i), Role: "user", Text: g.sentence(10), At: noon})
	}
	_, err = s.AddCaptured(context.Background(), store.Captured{Turns: turns})
	require.NoError(t, err)
	require.NoError(t, s.Close())

	to := filepath.Join(t.TempDir(), "new")
	for killed := range 8 {
		cmd := child("copy", to, from)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for range killed + random.Intn(3) { // further each time, and never to the end
			require.True(t, lines.Scan())
		}
		require.NoError(t, cmd.Process.Kill())
		require.Error(t, cmd.Wait())
	}
	b, err := child("copy", to, from).CombinedOutput()
	require.NoError(t, err, string(b))
	requireSame(t, from, to)
	requireSound(t, to)
}

// BenchmarkCopy copies a large store, and copies it again.
func BenchmarkCopy(b *testing.B) {
	ctx := context.Background()
	from, err := store.Open(ctx, filled(b, 10_000))
	require.NoError(b, err)
	defer from.Close()
	to, err := store.Open(ctx, b.TempDir())
	require.NoError(b, err)
	defer to.Close()
	for _, name := range []string{"first", "again"} {
		b.Run(name, func(b *testing.B) {
			n := 0
			start := time.Now()
			for r, err := range from.Dump(ctx, everything) {
				require.NoError(b, err)
				_, err = to.Load(ctx, r)
				require.NoError(b, err)
				n += r.Size()
			}
			b.ReportMetric(float64(n)/time.Since(start).Seconds(), "records/s")
		})
	}
}
