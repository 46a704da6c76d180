package team_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/team"
)

func see(t testing.TB, p *team.Replica, project string) {
	look(t, p.Dir(), func(s *store.Store) { require.NoError(t, p.Track(t.Context(), s, project)) })
}

// in is a learning of a repository.
func in(project string, n int) learning.Learning {
	l := lesson(n)
	l.Project = project
	return l
}

// The copy has what the repositories of this machine have, and what is global, and follows
// what becomes of it; a repository that is new here brings all that it has.
func TestRefresh(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	o := newOffice(t)
	_, p := newPlace(t)
	server := o.server(t)
	const other = "github.com/acme/other"
	var first, second string
	o.look(t, func(s *store.Store) {
		for n := range 600 {
			out, err := s.Put(t.Context(), in(project, n), store.Observation{})
			require.NoError(t, err)
			if n == 0 {
				first = out.ID
			}
		}
		for n := 600; n < 610; n++ {
			out, err := s.Put(t.Context(), in(other, n), store.Observation{})
			require.NoError(t, err)
			second = out.ID
		}
		_, err := s.Put(t.Context(), in("", 610), store.Observation{})
		require.NoError(t, err)
	})
	see(t, p, project)
	require.NoError(t, p.Refresh(t.Context(), server))
	require.Len(t, all(t, p.Dir()), 601)

	see(t, p, other)
	require.True(t, p.SyncDue(time.Now()), "what is seen for the first time does not wait")
	o.look(t, func(s *store.Store) {
		_, err := s.Forget(t.Context(), first)
		require.NoError(t, err)
		_, err = s.Edit(t.Context(), second, noon, func(l *learning.Learning) error { l.Retired = "wrong: no"; return nil })
		require.NoError(t, err)
	})
	begun := time.Now()
	require.NoError(t, p.Refresh(t.Context(), server))
	require.Equal(t, all(t, o.dir), all(t, p.Dir()))
	require.False(t, p.SyncDue(begun))
	require.True(t, p.SyncDue(time.Now().Add(2*time.Minute)))

	st, err := p.Status(t.Context())
	require.NoError(t, err)
	require.Empty(t, st.Error)
	require.WithinRange(t, st.At, begun.Add(-time.Millisecond), time.Now())
	require.Contains(t, st.Since(st.At), "the copy of "+st.At.Local().Format("15:04"))
}

// Why a copy could not be refreshed is noted, with when it was, and it stays as it was.
func TestRefreshInVain(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	server := o.server(t)
	write(t, p, server, putting(lesson(1)))
	see(t, p, project)
	require.NoError(t, p.Refresh(t.Context(), server))
	before, err := p.Status(t.Context())
	require.NoError(t, err)
	o.away.Store(true)
	begun := time.Now()
	require.ErrorIs(t, p.Refresh(t.Context(), o.server(t)), store.ErrUnusable)
	after, err := p.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, before.At, after.At)
	require.Contains(t, after.Error, "connection refused")
	require.Len(t, all(t, p.Dir()), 1)
	require.False(t, p.SyncDue(begun), "one that is away is left alone for a while")
}

// A server that was put back to an earlier time, or made anew, numbers its changes from an
// earlier one on: the copy becomes what it has, and what waits for it is not lost.
func TestRefreshFromAServerThatWasPutBack(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	o.look(t, func(s *store.Store) {
		for n := range 6 {
			_, err := s.Put(t.Context(), lesson(n), store.Observation{})
			require.NoError(t, err)
		}
	})
	see(t, p, project)
	require.NoError(t, p.Refresh(t.Context(), o.server(t)))
	require.Len(t, all(t, p.Dir()), 6)

	write(t, p, nil, putting(lesson(7)))
	o.dir = t.TempDir()
	o.look(t, func(s *store.Store) {
		_, err := s.Put(t.Context(), lesson(8), store.Observation{})
		require.NoError(t, err)
	})
	require.NoError(t, p.Refresh(t.Context(), o.server(t)))
	require.Contains(t, all(t, p.Dir()), learning.ID(lesson(7).Description), "what waits stays")
	_, err := p.Send(t.Context(), o.server(t))
	require.NoError(t, err)
	require.NoError(t, p.Refresh(t.Context(), o.server(t)))
	require.Len(t, all(t, o.dir), 2)
	require.Equal(t, all(t, o.dir), all(t, p.Dir()))
}

// Exchange finds all copies, and one server that hangs keeps no other waiting.
func TestExchange(t *testing.T) {
	home, p := newPlace(t)
	slow, err := team.ReplicaOf(home, "postgres://slow.example.com/whence")
	require.NoError(t, err)
	for _, p := range []*team.Replica{p, slow} {
		write(t, p, nil, putting(lesson(1)))
		see(t, p, project)
	}
	places, err := team.Replicas(home)
	require.NoError(t, err)
	require.ElementsMatch(t, []*team.Replica{p, slow}, places)

	o := newOffice(t)
	other := make(chan struct{})
	var once sync.Once
	server := team.NewServer(func(ctx context.Context, url string) (*store.Store, error) {
		if url == slow.URL { // until the other one is asked
			select {
			case <-other:
			case <-ctx.Done():
				t.Error("one waits for the other")
			}
			return nil, fmt.Errorf("too slow: %w", store.ErrUnusable)
		}
		once.Do(func() { close(other) })
		return o.dial(ctx, url)
	})
	n, err := team.Sync(t.Context(), home, server)
	require.ErrorContains(t, err, "slow.example.com")
	require.NotContains(t, err.Error(), p.Name())
	require.Equal(t, 1, n)
	require.Len(t, all(t, o.dir), 1)
	requireWaiting(t, slow, 1)

	asked := o.asked.Load()
	_, err = team.Sync(t.Context(), home, o.server(t))
	require.NoError(t, err)
	require.Equal(t, asked, o.asked.Load(), "nothing is due")
	_, err = team.Sync(t.Context(), home, nil)
	require.NoError(t, err)
	require.NoError(t, server.Close())
}
