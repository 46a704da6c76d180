package store_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

func TestEmbeddings(t *testing.T) {
	ctx := context.Background()
	s := open(t, t.TempDir())
	added := put(t, s, "/p", "always close the response body of a request", "prefer one transaction to ten of them in a loop", "check the clock of the machine before blaming the token")
	missing := func(model string) []store.Unembedded {
		t.Helper()
		texts, err := s.Unembedded(ctx, model, 100)
		require.NoError(t, err)
		return texts
	}
	nearest := func(model string, vector []float32, q store.Query) (ids []string) {
		t.Helper()
		found, err := s.Nearest(ctx, model, vector, q)
		require.NoError(t, err)
		for _, l := range found {
			ids = append(ids, l.ID)
		}
		return ids
	}
	everywhere := store.Query{Scope: all}
	texts := missing("m1")
	require.Len(t, texts, 3)
	require.Contains(t, texts[2].Text, "always close the response body of a request", "the newest first")
	require.NoError(t, s.Embed(ctx, "m1", texts[0], []float32{1, 0}))
	require.NoError(t, s.Embed(ctx, "m1", texts[1], []float32{0.6, 0.8}))
	require.NoError(t, s.Embed(ctx, "m1", texts[2], []float32{0, 1, 0})) // of another length
	require.Equal(t, added[2:3], nearest("m1", []float32{1, 0}, store.Query{Scope: all, Max: 1}))
	require.Equal(t, []string{added[1], added[2]}, nearest("m1", []float32{0, 1}, everywhere), "0 is all")
	require.Empty(t, nearest("m1", []float32{1, 0}, store.Query{Scope: store.Scope{Project: "/q"}}))
	require.Empty(t, nearest("m2", []float32{1, 0}, everywhere), "another model")
	require.Empty(t, missing("m1"))
	require.Len(t, missing("m2"), 3)

	// a changed text is not what the vector was made of
	_, err := s.Edit(ctx, all, added[2], noon, func(l *learning.Learning) error { l.Reasoning = "it was wrong by an hour"; return nil })
	require.NoError(t, err)
	require.Equal(t, added[1:2], nearest("m1", []float32{1, 0}, everywhere))
	require.NoError(t, s.Embed(ctx, "m1", texts[0], []float32{1, 0}))
	require.Equal(t, added[1:2], nearest("m1", []float32{1, 0}, everywhere), "made of the text before")
	require.NoError(t, s.Embed(ctx, "m1", missing("m1")[0], []float32{1, 0}))
	require.Len(t, nearest("m1", []float32{1, 0}, everywhere), 2)
	_, err = s.Forget(ctx, all, added[2])
	require.NoError(t, err)
	require.Equal(t, added[1:2], nearest("m1", []float32{1, 0}, everywhere))
}
