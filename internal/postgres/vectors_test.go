package postgres_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/pgtest"
	"whence/internal/store"
)

// With pgvector the nearest are those that are found without it, and by an index.
func TestNearestWithAndWithoutVector(t *testing.T) {
	h := newHarbour(t)
	h.db.Server.RequireVector(t)
	ctx := t.Context()
	s := h.open(h.ann)
	random := rand.New(rand.NewPCG(1, 2))
	vector := func() []float32 {
		v := make([]float32, 32)
		length := 0.0
		for i := range v {
			v[i] = float32(random.NormFloat64())
			length += float64(v[i]) * float64(v[i])
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(length))
		}
		return v
	}
	const count = 120
	for i := range count {
		_, err := s.Put(ctx, learned(fmt.Sprintf("module_%d keeps a pool of its own for berth%d", i, i*7)), store.Observation{})
		require.NoError(t, err)
	}
	missing, err := s.Unembedded(ctx, "m", 1000)
	require.NoError(t, err)
	require.Len(t, missing, count)
	for _, u := range missing {
		require.NoError(t, s.Embed(ctx, "m", u, vector()))
	}
	require.Error(t, s.Embed(ctx, "m", missing[0], nil))
	missing, err = s.Unembedded(ctx, "m", 1000)
	require.NoError(t, err)
	require.Empty(t, missing)

	owner := h.sql(pgtest.Superuser)
	var indexes int
	require.NoError(t, owner.QueryRow(`SELECT count(*) FROM pg_indexes WHERE tablename = 'embeddings' AND indexdef LIKE '%hnsw%'`).Scan(&indexes))
	require.Equal(t, 1, indexes)
	questions := make([][]float32, 20)
	nearest := func() (all [][]string) {
		for _, v := range questions {
			ids, err := s.Nearest(ctx, "m", v, store.Query{Everywhere: true, Most: 5, Evidence: 0.1})
			require.NoError(t, err)
			all = append(all, ids)
		}
		return all
	}
	for i := range questions {
		questions[i] = vector()
	}
	with := nearest()
	require.Len(t, with[0], 5)
	_, err = owner.Exec(`DROP EXTENSION vector CASCADE`)
	require.NoError(t, err)
	require.Equal(t, with, nearest())
	other, err := s.Nearest(ctx, "another model", questions[0], store.Query{Everywhere: true})
	require.NoError(t, err)
	require.Empty(t, other)
	require.NoError(t, s.Embed(ctx, "m", store.Unembedded{ID: "gone"}, questions[0]))
}
