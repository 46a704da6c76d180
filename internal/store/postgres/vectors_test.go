package postgres_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/test/pgtest"
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

// A team with few embeddings beside one with many finds its own.
func TestNearestInASmallTeam(t *testing.T) {
	h := newHarbour(t)
	h.db.Server.RequireVector(t)
	ctx := t.Context()
	s := h.open(h.ann)
	for i := range 3 {
		_, err := s.Put(ctx, learned(fmt.Sprintf("module_%d keeps a pool of its own for berth%d", i, i*7)), store.Observation{})
		require.NoError(t, err)
	}
	missing, err := s.Unembedded(ctx, "m", 9)
	require.NoError(t, err)
	for i, u := range missing {
		require.NoError(t, s.Embed(ctx, "m", u, []float32{float32(i), 1, 0}))
	}
	quay := h.open(h.eve)
	_, err = quay.Put(ctx, learned("the quay has three cranes and no more"), store.Observation{})
	require.NoError(t, err)
	owner := h.sql(pgtest.Superuser)
	_, err = owner.Exec(`INSERT INTO entries (team, owner, id, name, description, reasoning, category, source, folded, created_at, updated_at)
		SELECT 'quay', 'eve', 'id' || n, 'n', 'd', 'r', 'patterns', 'manual', 'f' || n, now(), now() FROM generate_series(1, 3000) n`)
	require.NoError(t, err)
	_, err = owner.Exec(`INSERT INTO embeddings (entry, model, v) SELECT seq, 'm', ARRAY[9, 9 + seq % 7, 0]::real[] FROM entries WHERE team = 'quay' AND id LIKE 'id%'; ANALYZE`)
	require.NoError(t, err)
	ids, err := s.Nearest(ctx, "m", []float32{1, 1, 0}, store.Query{Everywhere: true, Most: 3})
	require.NoError(t, err)
	require.Len(t, ids, 3)
	for _, wrong := range []string{"{NaN,0,0}", "{Infinity,0,0}", "{NULL,0,0}", "{{1,2},{3,4}}"} {
		_, err = h.sql(h.eve).Exec(`INSERT INTO embeddings (entry, model, v) SELECT seq, 'x', $1::real[] FROM entries LIMIT 1`, wrong)
		require.ErrorContains(t, err, "embeddings_v_check", wrong)
	}
}
