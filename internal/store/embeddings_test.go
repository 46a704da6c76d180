package store_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

func TestEmbeddings(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		dir := place(t)
		s := open(t, dir)
		all := put(t, s, "/p", "always close the response body of a request", "prefer one transaction to ten of them in a loop", "check the clock of the machine before blaming the token")
		missing := func(model string) (ids []string, texts []store.Unembedded) {
			t.Helper()
			texts, err := s.Unembedded(ctx, model, 100)
			require.NoError(t, err)
			for _, u := range texts {
				ids = append(ids, u.ID)
			}
			return ids, texts
		}
		nearest := func(model string, vector []float32, q store.Query) []string {
			t.Helper()
			ids, err := s.Nearest(ctx, model, vector, q)
			require.NoError(t, err)
			return ids
		}
		everywhere := store.Query{Everywhere: true}
		ids, texts := missing("m1")
		require.Equal(t, []string{all[2], all[1], all[0]}, ids, "the newest first")
		require.Contains(t, texts[2].Text, "always close the response body of a request")
		require.NoError(t, s.Embed(ctx, "m1", texts[0], []float32{1, 0}))
		require.NoError(t, s.Embed(ctx, "m1", texts[1], []float32{0.6, 0.8}))
		require.NoError(t, s.Embed(ctx, "m1", texts[2], []float32{0, 1, 0})) // of another length
		require.Error(t, s.Embed(ctx, "m1", texts[2], nil))
		require.Equal(t, all[2:3], nearest("m1", []float32{1, 0}, store.Query{Everywhere: true, Most: 1}))
		require.Equal(t, []string{all[1], all[2]}, nearest("m1", []float32{0, 1}, everywhere), "0 is all")
		require.Empty(t, nearest("m1", []float32{1, 0}, store.Query{Project: "/q"}))
		require.Len(t, nearest("m1", []float32{1, 0}, store.Query{Project: "/p"}), 2)
		require.Empty(t, nearest("m2", []float32{1, 0}, everywhere), "another model")
		ids, _ = missing("m1")
		require.Empty(t, ids)
		ids, _ = missing("")
		require.Empty(t, ids, "no model is no other model")
		require.Len(t, nearest("m1", []float32{1, 0}, everywhere), 2)

		// a changed text is not what the vector was made of
		edited, err := s.Edit(ctx, all[2], noon, func(l *learning.Learning) error { l.Reasoning = "it was wrong by an hour"; return nil })
		require.NoError(t, err)
		require.Equal(t, all[1:2], nearest("m1", []float32{1, 0}, everywhere))
		require.NoError(t, s.Embed(ctx, "m1", texts[0], []float32{1, 0}))
		require.Equal(t, all[1:2], nearest("m1", []float32{1, 0}, everywhere), "made of the text before")
		ids, texts = missing("m1")
		require.Equal(t, []string{edited.ID}, ids)
		require.NoError(t, s.Embed(ctx, "m1", texts[0], []float32{1, 0}))
		require.Len(t, nearest("m1", []float32{1, 0}, everywhere), 2)
		again := learned("prefer one transaction to ten of them in a loop")
		again.Keywords = []string{"sqlite"}
		_, err = s.Put(ctx, again, store.Observation{})
		require.NoError(t, err)
		require.Equal(t, []string{edited.ID}, nearest("m1", []float32{1, 0}, everywhere), "new keywords are new text")
		_, err = s.Put(ctx, learned("check the clock of the machine before blaming the token"), store.Observation{})
		require.NoError(t, err)
		require.Equal(t, []string{edited.ID}, nearest("m1", []float32{1, 0}, everywhere), "an observation is none")

		// a file has the embeddings of one model alone
		ids, texts = missing("m2")
		require.Len(t, ids, 3)
		require.NoError(t, s.Embed(ctx, "m1", texts[0], []float32{1, 0}))
		if !onServer(dir) {
			require.Empty(t, nearest("m1", []float32{1, 0}, everywhere), "too late")
		}
		require.Empty(t, nearest("m2", []float32{1, 0}, everywhere))
		_, err = s.Forget(ctx, texts[0].ID)
		require.NoError(t, err)
		require.NoError(t, s.Embed(ctx, "m2", texts[0], []float32{1, 0}))
		retire(t, s, texts[1].ID, "outdated")
		ids, _ = missing("m2")
		require.Len(t, ids, 1, "what is retired needs none")
	})
}
