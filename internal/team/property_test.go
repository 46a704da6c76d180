package team_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/team"
)

// unsteady is a server that fails before something is done there, or once it is, as chance
// has it. An answer that is lost is like one of a server that fails when it is asked again.
type unsteady struct {
	*office
	mu     sync.Mutex
	random *rand.Rand
}

func (u *unsteady) chance(percent int) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.random.IntN(100) < percent
}

func (u *unsteady) dial(ctx context.Context, url string) (*store.Store, error) {
	if u.chance(40) {
		return nil, fmt.Errorf("connect: %w", store.ErrUnusable)
	}
	return u.office.dial(ctx, url)
}

// Two machines work with a server that fails again and again. In the end all that was
// acknowledged is there, each once, in the order of each machine, and both copies are what the
// server has.
func TestNothingIsLostAndNothingCountsTwice(t *testing.T) {
	const lessons = 6
	seeds := uint64(6)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			u := &unsteady{office: newOffice(t), random: rand.New(rand.NewPCG(seed, 2))}
			var places []*team.Replica
			for range 2 {
				_, p := newPlace(t)
				see(t, p, project)
				places = append(places, p)
			}
			learned := map[string]int{}
			said := map[string]string{} // by machine: what was said last of its own learning
			for step := range 60 {
				m := random.IntN(2)
				p := places[m]
				server := team.NewServer(u.dial)
				var lost error
				switch what := random.IntN(10); {
				case what < 5:
					l := lesson(random.IntN(lessons))
					op := putting(l).WithKey()
					if u.chance(30) { // the server does it, and the answer is lost
						u.look(t, func(s *store.Store) {
							if hasPending(t, p) {
								return // it would not have been asked
							}
							_, lost = s.Once(t.Context(), op.Key, func(tx *store.Store) error {
								_, err := tx.Apply(t.Context(), op)
								return err
							})
						})
						_, _, err := scopeOf(p).Apply(t.Context(), nil, op, nil)
						require.NoError(t, err)
					} else {
						write(t, p, server, op)
					}
					require.NoError(t, lost)
					learned[learning.ID(l.Description)]++
				case what < 8:
					own := lesson(100 + m)
					reason := fmt.Sprint("step ", step)
					if said[own.Description] == "" {
						write(t, p, server, putting(own))
					}
					write(t, p, server, explaining(learning.ID(own.Description), reason))
					said[own.Description] = reason
				case what < 9:
					_, _ = p.Send(t.Context(), server)
				default:
					_ = p.Refresh(t.Context(), server)
				}
				require.NoError(t, server.Close())
			}
			for range 2 {
				for _, p := range places {
					_, err := p.Send(t.Context(), u.server(t))
					require.NoError(t, err)
					require.NoError(t, p.Refresh(t.Context(), u.server(t)))
				}
			}
			there := all(t, u.dir)
			for _, p := range places {
				requireWaiting(t, p, 0)
				require.Equal(t, there, all(t, p.Dir()))
			}
			for id, n := range learned {
				require.Equal(t, n, there[id].Observations, there[id].Name)
			}
			for description, last := range said {
				require.Equal(t, last, there[learning.ID(description)].Reasoning)
			}
			require.Len(t, there, len(learned)+len(said))
		})
	}
}

func hasPending(t testing.TB, p *team.Replica) bool {
	st, err := p.Status(t.Context())
	require.NoError(t, err)
	return st.Waiting > 0
}

// Processes that add and deliver at the same time lose nothing and double nothing.
func TestManyAtOnce(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	const each, writers = 15, 3
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for n := range each {
				var server *team.Server
				if n%3 == 0 {
					server = o.server(t)
				}
				if _, _, err := scopeOf(p).Apply(t.Context(), server, putting(lesson(1)), nil); err != nil {
					t.Errorf("writer %d: %v", w, err)
				}
			}
		})
		all.Go(func() {
			for range each {
				if _, err := p.Send(t.Context(), o.server(t)); err != nil {
					t.Error(err)
				}
				if err := p.Refresh(t.Context(), o.server(t)); err != nil && !errors.Is(err, team.ErrBusy) {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	_, err := p.Send(t.Context(), o.server(t))
	require.NoError(t, err)
	requireWaiting(t, p, 0)
	o.look(t, func(s *store.Store) {
		d, err := s.Get(t.Context(), store.Scope{Everything: true}, learning.ID(lesson(1).Description))
		require.NoError(t, err)
		require.Equal(t, each*writers, d.Observations)
	})
}
