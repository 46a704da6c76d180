package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/pgtest"
)

// While a learning of one team is written, other teams write theirs; colleagues wait.
func TestTeamsDoNotWaitForEachOther(t *testing.T) {
	ctx := t.Context()
	db := database(t)
	ann, bob := member(t, db, "ferry", "ann"), member(t, db, "ferry", "bob")
	others := make([]*store.Store, 7)
	for i := range others {
		others[i] = member(t, db, fmt.Sprint("team", i), "pat")
	}
	out, err := ann.Put(ctx, learned("the ferry waits for the tide"), store.Observation{})
	require.NoError(t, err)
	_, err = ann.Edit(ctx, out.ID, time.Time{}, func(*learning.Learning) error {
		for _, other := range others {
			_, err := other.Put(ctx, learned("the pier closes at night"), store.Observation{})
			require.NoError(t, err)
			_, err = other.AddCaptured(ctx, store.Captured{Turns: []store.Turn{{Session: "s", UUID: "u", Text: "it closes"}}})
			require.NoError(t, err)
		}
		_, err := bob.AddCaptured(ctx, store.Captured{Turns: []store.Turn{{Session: "s", UUID: "u", Text: "turns have a lock of their own"}}})
		require.NoError(t, err)
		soon, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
		defer cancel()
		_, err = bob.Put(soon, learned("the pier closes at night"), store.Observation{})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		return nil
	})
	require.NoError(t, err)
	_, err = bob.Put(ctx, learned("the pier closes at night"), store.Observation{})
	require.NoError(t, err)
}

// Eight members store learnings at the same time, on a server that waits for its disk.
func BenchmarkTeams(b *testing.B) {
	for _, teams := range []int{1, 8} {
		b.Run(fmt.Sprint(teams), func(b *testing.B) {
			server := pgtest.StartOwn(b, pgtest.Options{Fsync: true})
			b.Setenv("PGPASSFILE", server.Passfile())
			db := storeOn(b, server)
			members := make([]*store.Store, 8)
			for i := range members {
				members[i] = member(b, db, fmt.Sprint("team", i%teams), "ann")
			}
			b.ResetTimer()
			var all sync.WaitGroup
			for i, s := range members {
				all.Go(func() {
					for n := i; n < b.N; n += len(members) {
						if _, err := s.Put(b.Context(), learned(fmt.Sprintf("module%d keeps a pool of its own, the queue of part%d does not drain", n, n)), store.Observation{}); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
		})
	}
}
