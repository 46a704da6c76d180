package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
)

// What is personal stays so, whatever an agent captures, until its owner learns it for all.
func TestPersonal(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := t.Context()
		s := open(t, place(t))
		own := learned("always run the database migrations before the servers start")
		own.Personal, own.Reasoning = true, "my manager told me in confidence"
		out, err := s.Put(ctx, own, store.Observation{Revive: true})
		require.NoError(t, err)
		require.True(t, out.Personal)
		id := out.ID

		policy := store.Policy{Mode: store.Silent, Budget: 9}
		for _, approval := range []store.Approval{store.Unasked, store.Approved} {
			_, out, err = s.Capture(ctx, learned(own.Description), store.Observation{}, policy, approval)
			require.NoError(t, err)
			require.True(t, out.Reinforced)
			require.True(t, out.Personal)
			require.False(t, out.Shared)
		}

		out, err = s.Put(ctx, learned(own.Description), store.Observation{Revive: true})
		require.NoError(t, err)
		require.Equal(t, id, out.ID)
		require.True(t, out.Shared)
		require.False(t, out.Personal)
	})
}

// A session of which a part is shared shows nothing of the other part beside it.
func TestNothingPersonalStandsBesideWhatIsShared(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := t.Context()
		dir := place(t)
		s := open(t, dir)
		add := func(uuid, text string, shared bool) {
			t.Helper()
			_, err := s.AddCaptured(ctx, store.Captured{Session: "s", Shared: shared, Turns: []store.Turn{{UUID: uuid, Role: "user", Text: text, Fold: "one"}}})
			require.NoError(t, err)
		}
		add("a", "the bollardkey is four two seven", false)
		add("b", "now the tests please", true)
		add("c", "the bollardkey is four two eight", false)
		hits, err := s.SearchTurns(ctx, store.Query{Text: "bollardkey", Everywhere: true})
		require.NoError(t, err)
		for _, h := range hits {
			require.NotEqual(t, "b", h.UUID)
		}
		require.Len(t, hits, 1, "the two that are personal are counted as one")
		require.Equal(t, 2, hits[0].Count)
		add("b", "now the tests please, and the bollardkey", false) // the same record, when it is no longer shared
		requireCounts(t, dir, map[string]int{`SELECT count(*) FROM turns WHERE NOT personal`: 0, `SELECT count(*) FROM turns`: 2})
	})
}
