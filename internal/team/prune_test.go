package team_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/team"
)

// say has a session say something in a copy, and leave it in the outbox, as a worker does.
func say(t testing.TB, p *team.Replica, session string, at time.Time, numbers ...int) {
	t.Helper()
	c := store.Captured{Session: session, Project: project}
	for _, n := range numbers {
		c.Turns = append(c.Turns, store.Turn{UUID: fmt.Sprint(session, n), Role: "user", Text: fmt.Sprintf("turn %d of session %s", n, session), At: at})
	}
	require.NoError(t, p.EnqueueTurns(c))
	look(t, p.Dir(), func(s *store.Store) {
		_, err := s.AddCaptured(t.Context(), c)
		require.NoError(t, err)
	})
}

// turnsIn is how many turns a store has.
func turnsIn(t testing.TB, dir string) (n int) {
	t.Helper()
	look(t, dir, func(s *store.Store) {
		st, err := s.Stats(t.Context(), noon)
		require.NoError(t, err)
		n = st.Turns
	})
	return n
}

// What is deleted goes on the server too, with what still waited to be told, and with what was
// said elsewhere; and it does not come back.
func TestPruneTurns(t *testing.T) {
	o := newOffice(t)
	_, here := newPlace(t)
	_, there := newPlace(t)
	say(t, here, "s", noon, 1, 2)
	say(t, here, "other", noon, 3)
	say(t, there, "s", noon, 4)
	server := o.server(t)
	_, err := there.Send(t.Context(), server)
	require.NoError(t, err)

	of := store.PruneOptions{Session: "s", Everywhere: true}
	trial := of
	trial.DryRun = true
	for range 2 {
		gone, kept, err := scopeOf(here).Prune(t.Context(), server, trial)
		require.NoError(t, err)
		require.NoError(t, kept)
		require.Equal(t, 3, gone.Turns, "as the server has it")
	}
	gone, kept, err := scopeOf(here).Prune(t.Context(), server, of)
	require.NoError(t, err)
	require.NoError(t, kept)
	require.Equal(t, []int{3, 1}, []int{gone.Turns, gone.Sessions})
	requireWaiting(t, here, 0)
	require.Equal(t, []int{1, 1}, []int{turnsIn(t, o.dir), turnsIn(t, here.Dir())})
	say(t, here, "s", noon, 1, 2)
	_, err = here.Send(t.Context(), server)
	require.NoError(t, err)
	require.Equal(t, []int{1, 1}, []int{turnsIn(t, o.dir), turnsIn(t, here.Dir())})
}

// While the server is away what is deleted goes here at once, and there in its turn: behind
// what was said before, and before what is said afterwards.
func TestPruneTurnsWhileTheServerIsAway(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	server := o.server(t)
	say(t, p, "s", noon, 1)
	_, err := p.Send(t.Context(), server)
	require.NoError(t, err)
	say(t, p, "s", noon, 2)
	o.away.Store(true)
	require.NoError(t, server.Close())

	of := store.PruneOptions{Before: noon.Add(time.Hour), Project: project}
	trial := of
	trial.DryRun = true
	gone, kept, err := scopeOf(p).Prune(t.Context(), server, trial)
	require.NoError(t, err)
	require.ErrorContains(t, kept, "connection refused")
	require.Equal(t, 2, gone.Turns)
	requireWaiting(t, p, 1)

	gone, kept, err = scopeOf(p).Prune(t.Context(), server, of)
	require.NoError(t, err)
	require.ErrorContains(t, kept, "connection refused")
	require.Equal(t, 2, gone.Turns)
	require.Zero(t, turnsIn(t, p.Dir()))
	require.Equal(t, 1, turnsIn(t, o.dir))
	say(t, p, "s", noon.Add(2*time.Hour), 3)
	requireWaiting(t, p, 3)

	o.away.Store(false)
	n, err := p.Send(t.Context(), o.server(t))
	require.NoError(t, err)
	require.Equal(t, 3, n)
	require.Equal(t, []int{1, 1}, []int{turnsIn(t, o.dir), turnsIn(t, p.Dir())})
}

// On a machine that has no copy yet, what was said elsewhere goes all the same.
func TestPruneTurnsWithoutACopy(t *testing.T) {
	o := newOffice(t)
	_, there := newPlace(t)
	say(t, there, "s", noon, 1)
	_, err := there.Send(t.Context(), o.server(t))
	require.NoError(t, err)
	_, here := newPlace(t)
	gone, kept, err := scopeOf(here).Prune(t.Context(), o.server(t), store.PruneOptions{Session: "s", Everywhere: true})
	require.NoError(t, err)
	require.NoError(t, kept)
	require.Equal(t, 1, gone.Turns)
	require.Zero(t, turnsIn(t, o.dir))
	require.NoDirExists(t, here.Dir())
}
