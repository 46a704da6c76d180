package store_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/repotest"
)

// put stores learnings with these descriptions.
func put(t *testing.T, s *store.Store, project string, descriptions ...string) (ids []string) {
	t.Helper()
	for _, description := range descriptions {
		l := learned(description)
		l.Project = project
		out, err := s.Put(context.Background(), l, store.Observation{At: noon})
		require.NoError(t, err)
		ids = append(ids, out.ID)
	}
	return ids
}

// ids are those of hits, in order.
func ids(hits []store.Hit) (all []string) {
	for _, h := range hits {
		all = append(all, h.ID)
	}
	return all
}

func search(t *testing.T, s *store.Store, q store.Query) []store.Hit {
	t.Helper()
	hits, err := s.Search(context.Background(), q)
	require.NoError(t, err)
	return hits
}

func TestScope(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		s := open(t, place(t))
		here := put(t, s, "/here", "always quote variables of the shell here")
		there := put(t, s, "/there", "quote the names of columns in queries there")
		global := put(t, s, "", "never quote numbers in the output of yaml")
		for _, c := range []struct {
			q    store.Query
			want []string
		}{
			{store.Query{Project: "/here"}, slices.Concat(here, global)},
			{store.Query{Project: "/there"}, slices.Concat(there, global)},
			{store.Query{Project: "/elsewhere"}, global},
			{store.Query{}, global},
			{store.Query{Everywhere: true}, slices.Concat(here, there, global)},
			{store.Query{Everywhere: true, Category: learning.AntiPatterns}, global},
			{store.Query{Project: "/here", Category: learning.Patterns}, here},
			{store.Query{Everywhere: true, Evidence: 2}, nil},
		} {
			c.q.Text = "how to quote"
			require.ElementsMatch(t, c.want, ids(search(t, s, c.q)), "%+v", c.q)
		}
	})
}

func TestRetiredLearningsAreFoundOnlyWhenAskedFor(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		s := open(t, place(t))
		id := put(t, s, "", "always quote variables of the shell")
		retire(t, s, id[0], "outdated: a new shell")
		require.Empty(t, search(t, s, store.Query{Text: "quote"}))
		hits := search(t, s, store.Query{Text: "quote", Retired: true})
		require.Equal(t, id, ids(hits))
		require.Equal(t, "outdated: a new shell", hits[0].Retired)
	})
}

// Hundreds of better hits of other projects do not hide the one that is allowed.
func TestFiltersThatLeaveFew(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		s := open(t, place(t))
		var all []learning.Learning
		for i := range 300 {
			l := learned(fmt.Sprintf("quote quote quote variables number%d", i))
			l.Project = "/other"
			all = append(all, l)
		}
		l := learned("it has been seen that in the end one may as well quote, after a long text with many other words in it")
		l.Project = "/here"
		all = append(all, l)
		_, err := s.Import(ctx, all, noon)
		require.NoError(t, err)
		for _, most := range []int{0, 1, 5} {
			hits := search(t, s, store.Query{Text: "quote", Project: "/here", Most: most})
			require.Len(t, hits, 1)
			require.Equal(t, l.Description, hits[0].Description)
		}
		require.Len(t, search(t, s, store.Query{Text: "quote", Everywhere: true}), 301, "each once")
		require.Len(t, search(t, s, store.Query{Text: "quote", Everywhere: true, Most: 290}), 290)
	})
}

func TestHits(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	dir := filled(t, many())
	s, err := store.OpenReadOnly(context.Background(), dir)
	require.NoError(t, err)
	defer s.Close()
	g := newGenerator(5)
	for i := range 100 {
		q := store.Query{Text: g.sentence(1 + i%20), Everywhere: true, Most: 1 + i%7}
		hits := search(t, s, q)
		require.LessOrEqual(t, len(hits), q.Most)
		for j, h := range hits {
			require.True(t, h.Evidence >= 0 && h.Evidence <= 1 && !math.IsNaN(h.Evidence), h.Evidence)
			require.NotEmpty(t, h.Words)
			require.Subset(t, strings.Fields(strings.ToLower(strings.ReplaceAll(q.Text, "_", " "))), h.Words)
			if j > 0 {
				require.GreaterOrEqual(t, hits[j-1].Score, h.Score)
			}
		}
		require.Equal(t, hits, search(t, s, q), "the same question has the same answer")
	}
}

// Rows of equal score keep one order, so that the first of them are the same whatever
// the number asked for.
func TestOrderOfEqualHits(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		s := open(t, place(t))
		var all []learning.Learning
		for i := range 400 {
			all = append(all, learned(fmt.Sprintf("wombat%d lives under the floor of the house", i)))
		}
		_, err := s.Import(context.Background(), all, noon)
		require.NoError(t, err)
		whole := ids(search(t, s, store.Query{Text: "floor of a house"}))
		require.Len(t, whole, 400)
		for _, most := range []int{1, 10, 239, 240, 241} {
			require.Equal(t, whole[:most], ids(search(t, s, store.Query{Text: "floor of a house", Most: most})))
		}
	})
}

func TestItAbstains(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		s := open(t, place(t))
		for i := range 60 {
			put(t, s, "", distinct(i, i)+", says the log")
		}
		put(t, s, "", "set the busy timeout before the journal mode, or migrations race", "avoid sharing one lattice of fixtures between tests")
		for _, text := range []string{"", "   ", "?!", "the of and", "quantum chromodynamics lattice", "zzz", "what is the best restaurant in this city"} {
			require.Empty(t, search(t, s, store.Query{Text: text, Evidence: store.MinEvidence}), text)
		}
		require.Len(t, search(t, s, store.Query{Text: "busy timeout of the database", Evidence: store.MinEvidence}), 1)
	})
}

// A typed query of one word of a name and an unknown one finds the nearest; an agent's prompt finds
// nothing, and more words are a question.
func TestAWordOfANameAnswersWhatWasTyped(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		s := open(t, place(t))
		for i := range 60 {
			put(t, s, "", distinct(i, i)+", says the log")
		}
		l := learned("set the busy timeout before the journal mode, or migrations race")
		l.Name = "SQLite: locked databases"
		out, err := s.Put(context.Background(), l, store.Observation{})
		require.NoError(t, err)
		ask := store.Query{Evidence: store.MinEvidence}
		typed := ask
		typed.Typed = true
		for _, text := range []string{"sqlite frobnicated", "frobnicated locks"} {
			ask.Text, typed.Text = text, text
			require.Empty(t, search(t, s, ask), text)
			require.Equal(t, []string{out.ID}, ids(search(t, s, typed)), text)
		}
		for _, text := range []string{"frobnicated journal", "frobnicated zyxomatic", "which zyxomatic frobnicates sqlite"} {
			typed.Text = text
			require.Empty(t, search(t, s, typed), text)
		}
	})
}

// Texts of users are words, whatever the signs in them.
func TestNoTextIsAnExpression(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		s := open(t, place(t))
		put(t, s, "", "always quote shell variables, don't trust IFS; arrays are safer")
		for _, text := range []string{
			`don't quote`, `"quote`, `quote"`, `"""quote`, "quote AND", "NOT quote", "quote NEAR(", "name:quote", "quote*", "^quote", "{name}: quote", "- name : quote", "(quote", "quote OR OR",
			"a, quote", "x=quote", "quote && b", "quote;", "[quote]", `\quote`, "quote\x00variables", "\xff\xfequote", "rank MATCH quote", "'; DROP TABLE entries; -- quote", "quote + + shell",
		} {
			require.Len(t, search(t, s, store.Query{Text: text}), 1, "%q", text)
		}
	})
}

func TestALongTextIsSearchedFor(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	ctx := context.Background()
	s, err := store.Open(ctx, copyOf(t, filled(t, many())))
	require.NoError(t, err)
	defer s.Close()
	g := newGenerator(6)
	distinct := func(size int) string {
		var words strings.Builder
		for i := 0; words.Len() < size; i++ {
			fmt.Fprintf(&words, "%s%d größe%d ", g.word(), i, i)
		}
		return words.String()
	}
	for name, of := range map[string]func(size int) string{
		"words":                  func(size int) string { return g.sentence(size / 7) },
		"distinct words":         distinct,
		"one word":               func(size int) string { return strings.Repeat("a", size) },
		"quotes":                 func(size int) string { return strings.Repeat(`"`, size) },
		"letters without blanks": func(size int) string { return strings.Repeat("日本", size/6) },
		"marks":                  func(size int) string { return strings.Repeat("é̈", size/5) },
		"bytes":                  func(size int) string { return strings.Repeat("\xff\x00", size/2) },
	} {
		t.Run(name, func(t *testing.T) {
			repotest.RequireLinear(t, 1<<18, func(size int) func() {
				text := of(size)
				return func() {
					_, err := s.Search(ctx, store.Query{Text: text, Everywhere: true, Most: 5})
					require.NoError(t, err)
					_, err = s.SearchTurns(ctx, store.Query{Text: text, Everywhere: true, Most: 5})
					require.NoError(t, err)
				}
			})
		})
	}
}

// A long prompt is to take not much longer than a short one.
func BenchmarkPrompt(b *testing.B) {
	s, err := store.OpenReadOnly(context.Background(), filled(b, 10_000))
	require.NoError(b, err)
	defer s.Close()
	g := newGenerator(7)
	short, long := make([]string, 20), make([]string, 20)
	for i := range short {
		short[i] = g.sentence(3)
		words := map[string]bool{}
		for len(words) < 129 {
			words[g.word()] = true
		}
		for word := range words {
			long[i] += " " + word
		}
	}
	for name, texts := range map[string][]string{"words=3": short, "words=129": long} {
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				_, err := s.Search(context.Background(), store.Query{Text: texts[i%len(texts)], Everywhere: true, Most: 5, Evidence: store.MinEvidence})
				require.NoError(b, err)
			}
		})
	}
}

func FuzzSearch(f *testing.F) {
	for _, seed := range []string{"", "quote", `"`, "a\x00b", "\xff", "AND OR NOT NEAR", "name : x", "À", "日本語", "é", "_ _a __", "x-y.z/1"} {
		f.Add(seed)
	}
	dir := f.TempDir()
	s, err := openAt(context.Background(), dir)
	require.NoError(f, err)
	f.Cleanup(func() { s.Close() })
	for i := range 20 {
		_, err := s.Put(context.Background(), learned(distinct(i, i)+" größe naïve 日本語"), store.Observation{})
		require.NoError(f, err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ctx := context.Background()
		hits, err := s.Search(ctx, store.Query{Text: text, Everywhere: true})
		require.NoError(t, err)
		for _, h := range hits {
			require.True(t, h.Evidence >= 0 && h.Evidence <= 1, h.Evidence)
		}
		_, err = s.SearchTurns(ctx, store.Query{Text: text})
		require.NoError(t, err)
		_, err = s.SearchSessions(ctx, store.Query{Text: text})
		require.NoError(t, err)
		_, err = s.Get(ctx, store.Scope{Everything: true}, text)
		require.ErrorIs(t, err, store.ErrUnknown)
	})
}

// What a session has stored is not found for it, except what it stored before a time.
func TestASessionDoesNotFindWhatItHasStored(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		s := open(t, place(t))
		out, err := s.Put(context.Background(), learned("always quote variables of the shell"), store.Observation{Session: "mine", At: noon})
		require.NoError(t, err)
		for _, c := range []struct {
			session string
			since   time.Time
			want    []string
		}{
			{"", time.Time{}, []string{out.ID}},
			{"another", time.Time{}, []string{out.ID}},
			{"mine", time.Time{}, nil},
			{"mine", noon, nil},
			{"mine", noon.Add(time.Second), []string{out.ID}},
		} {
			require.Equal(t, c.want, ids(search(t, s, store.Query{Text: "quote variables of the shell", Except: c.session, Since: c.since})), c)
		}
	})
}
