package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

// Rows of other repositories, however many and with whatever words, hide none of this repository.
func TestOtherRepositoriesHideNothing(t *testing.T) {
	others := 1500
	if repotest.Long() {
		others = 100_000
	}
	ctx := t.Context()
	s := open(t, t.TempDir())
	here := learning.Learning{
		Name: "Deploy from main", Description: "The release job may only deploy from main, since tags are made there", Reasoning: "r",
		Category: learning.Heuristics, Confidence: learning.Medium, Source: learning.Manual, Project: "/a",
	}
	everywhere := here
	everywhere.Name, everywhere.Description, everywhere.Project = "Deploy on weekdays", "Nobody will deploy on a Friday, whatever the ticket says", ""
	all := []learning.Learning{here, everywhere}
	for n := range others {
		l := here
		l.Name, l.Description, l.Project = fmt.Sprintf("Deploy %d", n), fmt.Sprintf("How to deploy the service number %d of that repository", n), "/b"
		all = append(all, l)
	}
	_, err := s.Import(ctx, all, time.Now())
	require.NoError(t, err)
	add := func(session, project string, turns int) {
		var said []store.Turn
		for n := range turns {
			said = append(said, store.Turn{
				Session: session, UUID: fmt.Sprint(session, n), Role: "user", Project: project, At: time.Date(2026, 1, 2, 3, 4, n, 0, time.UTC),
				Text: fmt.Sprintf("we deploy from the branch named main, part %d of %s", n, session),
			})
		}
		_, err := storetest.AddTurns(ctx, s, store.Transcript{Path: session}, said...)
		require.NoError(t, err)
	}
	add("s", "/a", 2)
	add("o", "/b", others)

	names := func(in store.Scope) (names []string) {
		hits, err := s.Search(ctx, store.Query{Text: "deploy", Scope: in, Typed: true, Max: 5})
		require.NoError(t, err)
		for _, h := range hits {
			names = append(names, h.Name)
		}
		return names
	}
	require.ElementsMatch(t, []string{here.Name, everywhere.Name}, names(store.Scope{Project: "/a"}))
	require.Equal(t, []string{everywhere.Name}, names(store.Scope{Project: "/c"}))
	require.Len(t, names(store.Scope{Everywhere: true}), 5)
	sessions, err := s.SearchSessions(ctx, store.Query{Text: "deploy from main", Scope: store.Scope{Project: "/a"}})
	require.NoError(t, err)
	require.Len(t, sessions, 1)
	require.Equal(t, "s", sessions[0].ID)
}

// Whether a session is found does not depend on its id.
func TestASessionIsFoundWhateverItsID(t *testing.T) {
	for _, id := range []string{"00000000", "ffffffff"} {
		s := open(t, t.TempDir())
		for n := range 12 {
			session, about := fmt.Sprintf("%d0000000", n%8+1)+fmt.Sprint(n), "the harbour of the other town"
			if n == 5 {
				session, about = id, "retries stop after seven, since the eighth crosses the window of the rate limit"
			}
			var said []store.Turn
			for turn := range 60 {
				said = append(said, store.Turn{
					Session: session, UUID: fmt.Sprint(session, turn), Role: "user", At: time.Date(2026, 1, n+1, 3, 4, turn%60, 0, time.UTC),
					Text: fmt.Sprintf("retries and requests, turn %d: %s", turn, about), Project: "/a",
				})
			}
			_, err := storetest.AddTurns(t.Context(), s, store.Transcript{Path: session}, said...)
			require.NoError(t, err)
		}
		hits, err := s.SearchSessions(t.Context(), store.Query{Text: "the eighth of our retries fails with the rate limit", Scope: store.Scope{Project: "/a"}})
		require.NoError(t, err)
		require.NotEmpty(t, hits)
		require.Equal(t, id, hits[0].ID)
	}
}
