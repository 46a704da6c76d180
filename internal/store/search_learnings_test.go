package store_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/rank"
	"whence/internal/store"
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
func ids(hits []store.Hit) (found []string) {
	for _, h := range hits {
		found = append(found, h.ID)
	}
	return found
}

func search(t *testing.T, s *store.Store, q store.Query) []store.Hit {
	t.Helper()
	hits, err := s.Search(context.Background(), q)
	require.NoError(t, err)
	return hits
}

func TestScope(t *testing.T) {
	s := open(t, t.TempDir())
	here := put(t, s, "/here", "always quote variables of the shell here")
	there := put(t, s, "/there", "quote the names of columns in queries there")
	global := put(t, s, "", "never quote numbers in the output of yaml")
	for _, c := range []struct {
		q    store.Query
		want []string
	}{
		{store.Query{Scope: store.Scope{Project: "/here"}}, slices.Concat(here, global)},
		{store.Query{Scope: store.Scope{Project: "/there"}}, slices.Concat(there, global)},
		{store.Query{Scope: store.Scope{Project: "/elsewhere"}}, global},
		{store.Query{}, global},
		{store.Query{Scope: all}, slices.Concat(here, there, global)},
		{store.Query{Scope: all, Category: learning.AntiPatterns}, global},
		{store.Query{Scope: store.Scope{Project: "/here"}, Category: learning.Patterns}, here},
		{store.Query{Scope: all, Evidence: 2}, nil},
	} {
		c.q.Text = "how to quote"
		require.ElementsMatch(t, c.want, ids(search(t, s, c.q)), "%+v", c.q)
	}
}

// Hundreds of better hits of other projects do not hide the one that is allowed.
func TestFiltersThatLeaveFew(t *testing.T) {
	ctx := context.Background()
	s := open(t, t.TempDir())
	var many []learning.Learning
	for i := range 300 {
		l := learned(fmt.Sprintf("quote quote quote variables number%d", i))
		l.Project = "/other"
		many = append(many, l)
	}
	l := learned("it has been seen that in the end one may as well quote, after a long text with many other words in it")
	l.Project = "/here"
	many = append(many, l)
	_, err := s.Import(ctx, many, noon)
	require.NoError(t, err)
	for _, most := range []int{0, 1, 5} {
		hits := search(t, s, store.Query{Text: "quote", Scope: store.Scope{Project: "/here"}, Max: most})
		require.Len(t, hits, 1)
		require.Equal(t, l.Description, hits[0].Description)
	}
	require.Len(t, search(t, s, store.Query{Text: "quote", Scope: all}), 301, "each once")
	require.Len(t, search(t, s, store.Query{Text: "quote", Scope: all, Max: 290}), 290)
}

func TestItAbstains(t *testing.T) {
	s := open(t, t.TempDir())
	for i := range 60 {
		put(t, s, "", distinct(i, i)+", says the log")
	}
	put(t, s, "", "set the busy timeout before the journal mode, or migrations race", "avoid sharing one lattice of fixtures between tests")
	for _, text := range []string{"", "   ", "?!", "the of and", "quantum chromodynamics lattice", "zzz", "what is the best restaurant in this city"} {
		require.Empty(t, search(t, s, store.Query{Text: text, Evidence: rank.MinEvidence}), text)
	}
	require.Len(t, search(t, s, store.Query{Text: "busy timeout of the database", Evidence: rank.MinEvidence}), 1)
}

// A user's text is searched for as words, whatever signs it contains.
func TestNoTextIsAnExpression(t *testing.T) {
	s := open(t, t.TempDir())
	put(t, s, "", "always quote shell variables, don't trust IFS; arrays are safer")
	for _, text := range []string{
		`don't quote`, `"quote`, `quote"`, `"""quote`, "quote AND", "NOT quote", "quote NEAR(", "name:quote", "quote*", "^quote", "{name}: quote", "- name : quote", "(quote", "quote OR OR",
		"a, quote", "x=quote", "quote && b", "quote;", "[quote]", `\quote`, "quote\x00variables", "\xff\xfequote", "rank MATCH quote", "'; DROP TABLE entries; -- quote", "quote + + shell",
	} {
		require.Len(t, search(t, s, store.Query{Text: text}), 1, "%q", text)
	}
}

func FuzzSearch(f *testing.F) {
	for _, seed := range []string{"", "quote", `"`, "a\x00b", "\xff", "AND OR NOT NEAR", "name : x", "À", "日本語", "é", "_ _a __", "x-y.z/1"} {
		f.Add(seed)
	}
	dir := f.TempDir()
	s, err := store.Open(context.Background(), dir)
	require.NoError(f, err)
	f.Cleanup(func() { s.Close() })
	for i := range 20 {
		_, err := s.Put(context.Background(), learned(distinct(i, i)+" größe naïve 日本語"), store.Observation{})
		require.NoError(f, err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ctx := context.Background()
		hits, err := s.Search(ctx, store.Query{Text: text, Scope: all})
		require.NoError(t, err)
		for _, h := range hits {
			require.True(t, h.Evidence >= 0 && h.Evidence <= 1, h.Evidence)
		}
		_, err = s.SearchSessions(ctx, store.Query{Text: text})
		require.NoError(t, err)
		_, err = s.Get(ctx, all, text)
		require.ErrorIs(t, err, store.ErrUnknown)
	})
}

// A session does not find what it has stored itself, except before a given time.
func TestASessionDoesNotFindWhatItHasStored(t *testing.T) {
	s := open(t, t.TempDir())
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
}
