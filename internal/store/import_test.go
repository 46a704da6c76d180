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
		_, err := from.Say(ctx, ids[1], store.Feedback{Verdict: store.Helped, At: noon})
		require.NoError(t, err)
		_, err = from.Say(ctx, ids[2], store.Feedback{Verdict: store.Wrong, Reason: "it is not"})
		require.NoError(t, err)
		all := store.Filter{Everywhere: true, Retired: true}
		listed, err := from.List(ctx, all)
		require.NoError(t, err)
		require.Len(t, listed, 4)

		for _, want := range []int{4, 0} {
			added, err := to.Import(ctx, listed, noon.Add(100*time.Hour))
			require.NoError(t, err)
			require.Equal(t, want, added)
			got, err := to.List(ctx, all)
			require.NoError(t, err)
			require.ElementsMatch(t, listed, got)
		}
		added, err := from.Import(ctx, listed, noon)
		require.NoError(t, err)
		require.Zero(t, added)
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
		require.Equal(t, 1, added)
		all, err := s.List(ctx, store.Filter{})
		require.NoError(t, err)
		require.Equal(t, learning.ID(a.Description), all[0].ID)
		require.Equal(t, noon, all[0].Created)
		require.NotEmpty(t, all[0].Keywords)
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
		d, err := s.Get(ctx, out.ID)
		require.NoError(t, err)
		require.Equal(t, 3, d.Sessions)
		near := learned("the response body of a request should always be closed")
		out, err = s.Put(ctx, near, store.Observation{})
		require.NoError(t, err)
		require.True(t, out.Near)
		require.Equal(t, said, out.Description)
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
	})
}
