package team_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/team"
)

// A server that has failed is left alone for a while by all processes, also where the copy is
// fresh and something waits: the first that notices notes it.
func TestAServerThatIsAwayIsNotAskedByEveryWorker(t *testing.T) {
	for name, fail := range map[string]func(*office, bool){
		"refuses": func(o *office, fails bool) { o.away.Store(fails) },
		"hangs":   func(o *office, fails bool) { o.hangs.Store(fails) },
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			home, p := newPlace(t)
			see(t, p, project)
			impatient := func() *team.Server { // as for a server with ?connect_timeout
				s := team.NewServer(func(ctx context.Context, url string) (*store.Store, error) {
					limited, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
					defer cancel()
					s, err := o.dial(limited, url)
					if err != nil {
						return nil, fmt.Errorf("connect: %w: %w", store.ErrUnusable, err)
					}
					return s, nil
				})
				t.Cleanup(func() { require.NoError(t, s.Close()) })
				return s
			}
			exchange := func() error {
				_, err := team.Sync(t.Context(), home, impatient())
				return err
			}
			o.look(t, func(*store.Store) {})
			begun := time.Now()
			require.NoError(t, p.Refresh(t.Context(), o.server(t)))
			look(t, p.Dir(), func(s *store.Store) { // a file knows no teams: so does a copy of a server
				var st team.SyncState
				_, err := s.Noted(t.Context(), "delivery", &st)
				require.NoError(t, err)
				st.Store, st.Team = "one", "ferry"
				require.NoError(t, s.Note(t.Context(), "delivery", st))
			})
			require.False(t, p.SyncDue(begun))
			fail(o, true)
			write(t, p, nil, putting(lesson(1)))

			before := o.asked.Load()
			require.Error(t, exchange(), "the first one notices")
			for range 5 {
				write(t, p, nil, putting(lesson(1)))
				require.NoError(t, exchange())
			}
			require.EqualValues(t, 1, o.asked.Load()-before, "connections that were tried")
			st, err := p.Status(t.Context())
			require.NoError(t, err)
			require.Contains(t, st.Error, "cannot be reached")
			require.Equal(t, 6, st.Waiting)

			require.NoError(t, os.Remove(filepath.Join(p.Dir(), ".tried"))) // a minute later
			before = o.asked.Load()
			require.Error(t, exchange())
			require.NoError(t, exchange())
			require.EqualValues(t, 1, o.asked.Load()-before)
		})
	}
}

// A store that the user has revoked is not connected to, though something waits for it, until it
// is allowed again.
func TestARevokedStoreIsNotAsked(t *testing.T) {
	o := newOffice(t)
	home, p := newPlace(t)
	see(t, p, project)
	write(t, p, nil, putting(lesson(1)))
	_, err := team.Revoke(home, p.URL)
	require.NoError(t, err)
	for range 3 {
		delivered, err := team.Sync(t.Context(), home, o.server(t))
		require.NoError(t, err)
		require.Zero(t, delivered)
	}
	require.Zero(t, o.asked.Load())
	_, err = team.Allow(home, p.URL)
	require.NoError(t, err)
	delivered, err := team.Sync(t.Context(), home, o.server(t))
	require.NoError(t, err)
	require.Equal(t, 1, delivered)
}
