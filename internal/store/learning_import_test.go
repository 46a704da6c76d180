package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

func TestWhatIsListedCanBeImported(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		from, to := open(t, place(t)), open(t, place(t))
		ids := put(t, from, "/p", "always close the response body of a request", "prefer one transaction to ten of them in a loop", "größe is a word, and <b>\"quotes\"</b> too")
		put(t, from, "", "check the clock of the machine before blaming the token")
		put(t, from, "/p", "always close the response body of a request")
		require.NoError(t, from.Recalled(ctx, ids[:2], noon.Add(time.Hour)))
		require.NoError(t, from.Found(ctx, ids[1:2], noon.Add(time.Hour)))
		retire(t, from, ids[2], "wrong: it is not")
		all := store.Filter{Everywhere: true, Retired: true}
		listed, err := from.List(ctx, all)
		require.NoError(t, err)
		require.Len(t, listed, 4)

		for _, want := range []int{4, 0} {
			added, err := to.Import(ctx, listed, noon.Add(100*time.Hour))
			require.NoError(t, err)
			require.Equal(t, want, added.Added)
			got, err := to.List(ctx, all)
			require.NoError(t, err)
			require.ElementsMatch(t, listed, got)
		}
		added, err := from.Import(ctx, listed, noon)
		require.NoError(t, err)
		require.Zero(t, added.Added)
		after, err := from.List(ctx, all)
		require.NoError(t, err)
		require.Equal(t, listed, after)
		found, err := to.Search(ctx, store.Query{Text: "transactions", Project: "/p"})
		require.NoError(t, err)
		require.Len(t, found, 1)
	})
}

func TestImportOfWhatIsKnownInOtherLetters(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		s := open(t, place(t))
		a, b := learned("always close the response body"), learned("Always close  the response body.")
		a.ID, b.ID = "made up", ""
		require.NotEqual(t, learning.ID(a.Description), learning.ID(b.Description))
		added, err := s.Import(ctx, []learning.Learning{a, b}, noon)
		require.NoError(t, err)
		require.Equal(t, 1, added.Added)
		all, err := s.List(ctx, store.Filter{})
		require.NoError(t, err)
		require.Equal(t, learning.ID(a.Description), all[0].ID)
		require.Equal(t, noon, all[0].Created)
		require.NotEmpty(t, all[0].Keywords)
	})
}

// A learning that was imported follows its entry, wherever only that has changed.
func TestImportFollowsTheFile(t *testing.T) {
	entry := func(description string, change ...func(*learning.Learning)) learning.Learning {
		l := learned(description)
		l.Name, l.Source, l.Project, l.Origin = "Ask the clock", learning.Import, "/p", learning.OriginOf("/p", "bank.md", "Ask the clock")
		for _, f := range change {
			f(&l)
		}
		return l
	}
	const before, after = "read the clock once, and hand the time on", "read the clock once a request, and hand that time on"
	surer := func(l *learning.Learning) { l.Confidence = learning.High }
	renamed := func(l *learning.Learning) {
		l.Name, l.Origin = "Read it once", learning.OriginOf("/p", "bank.md", "Read it once")
	}
	tests := map[string]struct {
		edit  func(*learning.Learning) // in the store, between the two imports
		again learning.Learning
		want  store.Imported
		text  string
		is    learning.Confidence
	}{
		"nothing":                   {nil, entry(before), store.Imported{Known: 1}, before, learning.Low},
		"the text":                  {nil, entry(after), store.Imported{Updated: 1}, after, learning.Low},
		"metadata":                  {nil, entry(before, surer), store.Imported{Updated: 1}, before, learning.High},
		"both":                      {nil, entry(after, surer), store.Imported{Updated: 1}, after, learning.High},
		"the heading":               {nil, entry(before, renamed), store.Imported{Updated: 1}, before, learning.Low},
		"a user's edit stays":       {surer, entry(before), store.Imported{Known: 1}, before, learning.High},
		"an edit of another field":  {surer, entry(after), store.Imported{Updated: 1}, after, learning.High},
		"the same edit":             {surer, entry(before, surer), store.Imported{Known: 1}, before, learning.High},
		"an edit of the same field": {func(l *learning.Learning) { l.Description = "the clock is read by the server alone" }, entry(after), store.Imported{Known: 1, Kept: []store.Kept{{Name: "Ask the clock", Why: "description changed here and there"}}}, "the clock is read by the server alone", learning.Low},
		"it is global by now":       {func(l *learning.Learning) { l.Project = "" }, entry(after), store.Imported{Known: 1, Kept: []store.Kept{{Name: "Ask the clock", Why: "it holds in other repositories too"}}}, before, learning.Low},
	}
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		s := open(t, place(t))
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				first, err := s.Import(ctx, []learning.Learning{entry(before)}, noon)
				require.NoError(t, err)
				require.Equal(t, store.Imported{Added: 1}, first)
				id := learning.ID(before)
				require.NoError(t, s.Found(ctx, []string{id}, noon))
				if test.edit != nil {
					l, err := s.Edit(ctx, id, noon, func(l *learning.Learning) error { test.edit(l); return nil })
					require.NoError(t, err)
					id = l.ID
				}
				for i := range test.want.Kept {
					test.want.Kept[i].ID = id
				}
				tried, changed, err := s.TryImport(ctx, []learning.Learning{test.again}, noon)
				require.NoError(t, err)
				require.Equal(t, test.want, tried)
				require.Len(t, changed, tried.Added+tried.Updated)
				done, err := s.Import(ctx, []learning.Learning{test.again}, noon)
				require.NoError(t, err)
				require.Equal(t, test.want, done)
				all, err := s.List(ctx, store.Filter{Everywhere: true, Retired: true})
				require.NoError(t, err)
				require.Len(t, all, 1)
				require.Equal(t, test.text, all[0].Description)
				require.Equal(t, learning.ID(test.text), all[0].ID)
				require.Equal(t, test.is, all[0].Confidence)
				require.Equal(t, noon, all[0].LastUsed, "counts stay")
				if test.want.Kept == nil {
					require.Equal(t, test.again.Name, all[0].Name)
				}
				done, err = s.Import(ctx, []learning.Learning{test.again}, noon)
				require.NoError(t, err)
				require.Equal(t, store.Imported{Known: 1, Kept: test.want.Kept}, done, "again")
				from, err := s.ImportedFrom(ctx, map[string]bool{test.again.Origin.File: true})
				require.NoError(t, err)
				require.Len(t, from, 1)
				_, err = s.Forget(ctx, all[0].ID)
				require.NoError(t, err)
			})
		}
	})
}

// Equal texts are one row, whatever they are imported from, and no entry takes the text of another.
func TestImportOfEqualTexts(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		s := open(t, place(t))
		var all []learning.Learning
		for _, heading := range []string{"one", "two"} {
			l := learned("read the clock once, and hand the time on, says " + heading)
			l.Source, l.Origin = learning.Import, learning.OriginOf("", "bank.md", heading)
			all = append(all, l)
		}
		done, err := s.Import(ctx, all, noon)
		require.NoError(t, err)
		require.Equal(t, store.Imported{Added: 2}, done)
		all[0].Description = all[1].Description
		done, err = s.Import(ctx, all, noon)
		require.NoError(t, err)
		require.Equal(t, 2, done.Known)
		require.Len(t, done.Kept, 1)
		require.Equal(t, "another learning has its new description", done.Kept[0].Why)
	})
}

// What was observed elsewhere is evidence here.
func TestImportedObservationsCount(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		s := open(t, place(t))
		l := learned(said)
		l.Source, l.Confidence, l.Observations = learning.Retro, learning.Medium, 4
		_, err := s.Import(ctx, []learning.Learning{l}, noon)
		require.NoError(t, err)
		out, err := s.Put(ctx, l, store.Observation{Session: "s"})
		require.NoError(t, err)
		require.Equal(t, 5, out.Observations)
		require.Equal(t, learning.High, out.Confidence)
	})
}

func TestReinforcement(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		s := open(t, place(t))
		l := learned(said)
		l.Project = "/p"
		first, err := s.Put(ctx, l, store.Observation{At: noon, Session: "a"})
		require.NoError(t, err)
		l.Name, l.Category, l.Reasoning, l.References = "another name", learning.Heuristics, "another reason", []string{"a.go"}
		for i, want := range []learning.Confidence{learning.Low, learning.Low, learning.Medium} {
			out, err := s.Put(ctx, l, store.Observation{At: noon.Add(-time.Hour), Session: []string{"a", "b", "c"}[i]})
			require.NoError(t, err)
			require.True(t, out.Reinforced)
			require.Equal(t, i+2, out.Observations)
			require.Equal(t, want, out.Confidence, "in one session, it is one thing")
			require.Equal(t, first.Name, out.Name)
			require.Equal(t, first.Category, out.Category)
			require.Equal(t, first.Reasoning, out.Reasoning)
			require.Equal(t, []string{"a.go"}, out.References)
			require.Equal(t, "/p", out.Project)
			require.Equal(t, noon, out.Updated, "time does not go back")
		}
		l.Project = "/q"
		out, err := s.Put(ctx, l, store.Observation{})
		require.NoError(t, err)
		require.Empty(t, out.Project, "what holds in two projects holds everywhere")
		d, err := s.Get(ctx, store.Scope{Everything: true}, out.ID)
		require.NoError(t, err)
		require.Equal(t, 3, d.Sessions)
	})
}

func TestListOrderAndFilters(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		s := open(t, place(t))
		var all []learning.Learning
		for i := range 10 {
			l := learned(distinct(0, i))
			l.Created = noon.Add(time.Duration(i%5) * time.Hour)
			if i%2 == 0 {
				l.Source = learning.Retro
			}
			all = append(all, l)
		}
		_, err := s.Import(ctx, all, noon)
		require.NoError(t, err)
		listed, err := s.List(ctx, store.Filter{Most: 3})
		require.NoError(t, err)
		require.Equal(t, []string{distinct(0, 9), distinct(0, 4), distinct(0, 8)}, []string{listed[0].Description, listed[1].Description, listed[2].Description})
		listed, err = s.List(ctx, store.Filter{Source: learning.Retro})
		require.NoError(t, err)
		require.Len(t, listed, 5)
		n, err := s.MaxObservations(ctx)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		for most, counted := range map[int]int{0: 10, 3: 3, 20: 10} {
			n, err = s.Count(ctx, store.Filter{Most: most})
			require.NoError(t, err)
			require.Equal(t, counted, n)
			n, err = s.Count(ctx, store.Filter{Source: learning.Retro, Most: most})
			require.NoError(t, err)
			require.Equal(t, min(counted, 5), n)
		}
	})
}
