package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

// A copy that asks for changes, some at a time, comes to hold what the store holds, whatever
// happens there; repeating a change has no effect.
func TestACopyFollowsItsStore(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		s, replica := open(t, place(t)), open(t, place(t))
		after := int64(0)
		follow := func() {
			for {
				some, err := s.Changes(ctx, store.Filter{Everywhere: true, Most: 2}, after)
				require.NoError(t, err)
				if len(some) == 0 {
					break
				}
				require.NoError(t, replica.Replace(ctx, some))
				require.NoError(t, replica.Replace(ctx, some))
				require.Greater(t, some[0].Revision, after)
				after = some[len(some)-1].Revision
			}
			all := func(s *store.Store) map[string]learning.Learning {
				learnings, err := s.List(ctx, store.Filter{Everywhere: true, Retired: true})
				require.NoError(t, err)
				byID := map[string]learning.Learning{}
				for _, l := range learnings {
					byID[l.ID] = l
				}
				return byID
			}
			require.Equal(t, all(s), all(replica))
		}
		var ids []string
		for _, text := range []string{"always quote shell variables in hooks", "never test against the live database", "the queue retries each message three times", "migrations run before the deploy"} {
			out, err := s.Put(ctx, learned(text), store.Observation{At: noon})
			require.NoError(t, err)
			ids = append(ids, out.ID)
		}
		follow()
		_, err := s.Put(ctx, learned("Always quote shell variables in hooks!"), store.Observation{At: noon})
		require.NoError(t, err)
		_, err = s.Forget(ctx, ids[1])
		require.NoError(t, err)
		retire(t, s, ids[2], "outdated: five times now")
		_, err = s.Edit(ctx, ids[3], noon, func(l *learning.Learning) error {
			l.Description = "migrations run after the deploy"
			return nil
		})
		require.NoError(t, err)
		follow()
		out, err := s.Put(ctx, learned("never test against the live database"), store.Observation{At: noon})
		require.NoError(t, err)
		require.Equal(t, ids[1], out.ID)
		require.NoError(t, s.Recalled(ctx, ids[:1], noon))
		_, err = s.Put(ctx, learned("always quote shell variables in hooks"), store.Observation{At: noon})
		require.NoError(t, err)
		follow()
		none, err := s.Changes(ctx, store.Filter{Everywhere: true}, after)
		require.NoError(t, err)
		require.Empty(t, none)
	})
}

func TestOnce(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		s := open(t, place(t))
		put := func(key string, fail error) (bool, error) {
			return s.Once(ctx, key, func(s *store.Store) error {
				_, err := s.Put(ctx, learned("always quote shell variables in hooks"), store.Observation{At: noon})
				require.NoError(t, err)
				return fail
			})
		}
		done, err := put("a", context.Canceled)
		require.ErrorIs(t, err, context.Canceled)
		require.False(t, done)
		for _, want := range []bool{true, false} {
			done, err = put("a", nil)
			require.NoError(t, err)
			require.Equal(t, want, done)
		}
		done, err = put("b", nil)
		require.NoError(t, err)
		require.True(t, done)
		d, err := s.Get(ctx, store.Scope{Everything: true}, learning.ID("always quote shell variables in hooks"))
		require.NoError(t, err)
		require.Equal(t, 2, d.Observations)
	})
}

// A key that was deleted counts as new, and only old ones are.
func TestForgetDelivered(t *testing.T) {
	ctx := context.Background()
	s := open(t, t.TempDir())
	nothing := func(*store.Store) error { return nil }
	_, err := s.Once(ctx, "a", nothing)
	require.NoError(t, err)
	for _, c := range []struct {
		before time.Time
		want   int
	}{{time.Now().Add(-time.Hour), 0}, {time.Now().Add(time.Hour), 1}} {
		n, err := s.ForgetDelivered(ctx, c.before)
		require.NoError(t, err)
		require.Equal(t, c.want, n)
		done, err := s.Once(ctx, "a", nothing)
		require.NoError(t, err)
		require.Equal(t, c.want == 1, done)
	}
}

// Changes that belong together are made or not, all of them.
func TestTogether(t *testing.T) {
	ctx := context.Background()
	s := open(t, t.TempDir())
	for _, fail := range []error{context.Canceled, nil} {
		err := s.Together(ctx, func(tx *store.Store) error {
			_, err := tx.Put(ctx, learned("always quote shell variables in hooks"), store.Observation{At: noon})
			require.NoError(t, err)
			require.NoError(t, tx.Note(ctx, "a", 1))
			return fail
		})
		require.ErrorIs(t, err, fail)
		n, err := s.Count(ctx, store.Filter{Everywhere: true})
		require.NoError(t, err)
		noted, err := s.Noted(ctx, "a", new(int))
		require.NoError(t, err)
		require.Equal(t, []any{fail == nil, fail == nil}, []any{n == 1, noted})
	}
}

func TestSame(t *testing.T) {
	ctx := context.Background()
	s := open(t, t.TempDir())
	known := learned("Always run the database migrations before starting the integration tests")
	_, err := s.Put(ctx, known, store.Observation{At: noon})
	require.NoError(t, err)
	for text, want := range map[string]string{
		known.Description: learning.ID(known.Description),
		"ALWAYS run the database migrations before starting the integration tests.": learning.ID(known.Description),
		"Always run the database migrations before starting the integration tests?": "",
		"Run the database migrations always before starting the integration tests":  "",
	} {
		id, err := s.Same(ctx, learned(text))
		require.NoError(t, err)
		require.Equal(t, want, id, text)
	}
}
