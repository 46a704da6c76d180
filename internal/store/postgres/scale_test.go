package postgres_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/test/pgtest"
)

// rows is the number in a variable of the environment. The tests that ask for it report
// figures, for docs/scale.md, and take minutes.
func rows(t *testing.T, variable string) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		t.Skip("reports figures of so many rows as " + variable + " says")
	}
	pgtest.Require(t)
	return n
}

// serverOfSize is a server that waits for its disk, with the memory that one of a team has.
func serverOfSize(t *testing.T) *pgtest.Server {
	t.Helper()
	server := pgtest.StartOwn(t, pgtest.Options{Fsync: true})
	db := server.Database(t, "settings").Open(t, pgtest.Superuser)
	for _, setting := range []string{"shared_buffers = '2GB'", "effective_cache_size = '8GB'", "max_wal_size = '4GB'", "random_page_cost = 1.1"} {
		_, err := db.Exec(`ALTER SYSTEM SET ` + setting)
		require.NoError(t, err)
	}
	require.NoError(t, db.Close())
	server.Restart(t)
	return server
}

// A fifth of the rows are learnings, the others turns, one every 10 seconds. With WHENCE_SCALE_PARTITIONS,
// these are partitioned by month.
func TestScale(t *testing.T) {
	n := rows(t, "WHENCE_SCALE")
	server := serverOfSize(t)
	start := time.Now()
	p := newPlace(t, server, n/5, n-n/5)
	t.Logf("%d rows, filled in %s", n, time.Since(start).Round(time.Second))
	super := p.super(t)
	if os.Getenv("WHENCE_SCALE_PARTITIONS") != "" {
		start := time.Now()
		partition(t, p.db)
		t.Logf("partitioned in %s", time.Since(start).Round(time.Second))
		_, err := super.Exec(`VACUUM ANALYZE`)
		require.NoError(t, err)
	}
	found, err := super.Query(`SELECT relname, pg_table_size(oid), pg_indexes_size(oid), reltuples::bigint FROM pg_class
		WHERE relnamespace = 'whence'::regnamespace AND relkind = 'r' AND pg_total_relation_size(oid) > 100000 ORDER BY pg_total_relation_size(oid) DESC`)
	require.NoError(t, err)
	defer found.Close()
	for found.Next() {
		var name string
		var table, indexes, rows float64
		require.NoError(t, found.Scan(&name, &table, &indexes, &rows))
		t.Logf("%-12s %10.0f rows %8.1f MB + %8.1f MB of indexes, %5.0f + %5.0f bytes a row", name, rows, table/1e6, indexes/1e6, table/rows, indexes/rows)
	}
	require.NoError(t, found.Err())
	s := p.open(t)
	g := newGenerator(2)
	for _, o := range operations() {
		const times, warm = 60, 10
		var took []time.Duration
		for i := range times {
			start := time.Now()
			require.NoError(t, o.run(context.Background(), s, g, 1000+i), o.name)
			if i >= warm {
				took = append(took, time.Since(start))
			}
		}
		slices.Sort(took)
		t.Logf("%-26s p50 %7.1f ms, p95 %7.1f ms", o.name, milliseconds(took[len(took)/2]), milliseconds(took[len(took)*19/20]))
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Embeddings of 384 dimensions, as small models make them, with the index and without.
func TestScaleOfVectors(t *testing.T) {
	n := rows(t, "WHENCE_SCALE_VECTORS")
	server := serverOfSize(t)
	p := newPlace(t, server, n, 0)
	super := p.super(t)
	ctx := context.Background()
	random := rand.New(rand.NewPCG(1, 1))
	const dimensions, topics, questions = 384, 1000, 40
	direction := func() []float32 {
		v := make([]float32, dimensions)
		for i := range v {
			v[i] = float32(random.NormFloat64())
		}
		return v
	}
	centres := make([][]float32, topics)
	for i := range centres {
		centres[i] = direction()
	}
	embedding := func() []float32 { // near a topic, as texts are
		v, centre := direction(), centres[random.IntN(topics)]
		length := 0.0
		for i := range v {
			v[i] = centre[i] + v[i]
			length += float64(v[i]) * float64(v[i])
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(length))
		}
		return v
	}
	start := time.Now()
	const some = 1000
	for first := 0; first < n; first += some {
		var all []float32
		for range some {
			all = append(all, embedding()...)
		}
		_, err := super.Exec(`INSERT INTO embeddings SELECT seq, 'small', ($1::real[])[(row_number() OVER (ORDER BY seq) - 1) * $2 + 1 : row_number() OVER (ORDER BY seq) * $2] FROM (SELECT seq FROM entries ORDER BY seq OFFSET $3 LIMIT $4) e`, all, dimensions, first, some)
		require.NoError(t, err)
	}
	_, err := super.Exec(`VACUUM ANALYZE embeddings`)
	require.NoError(t, err)
	t.Logf("%d embeddings, filled in %s", n, time.Since(start).Round(time.Second))
	s := p.open(t)
	asked := make([][]float32, questions)
	for i := range asked {
		asked[i] = embedding()
	}
	ask := func(name string, times int) (found [][]string) {
		var took []time.Duration
		for _, v := range asked[:times] {
			start := time.Now()
			ids, err := s.Nearest(ctx, "small", v, store.Query{Everywhere: true, Most: 10})
			require.NoError(t, err)
			took = append(took, time.Since(start))
			found = append(found, ids)
		}
		slices.Sort(took)
		t.Logf("%-26s p50 %7.1f ms, p95 %7.1f ms", name, milliseconds(took[times/2]), milliseconds(took[times*19/20]))
		return found
	}
	exact := ask("pgvector, no index", questions)
	_, err = super.Exec(`SET maintenance_work_mem = '1GB'`)
	require.NoError(t, err)
	start = time.Now()
	_, err = super.Exec(fmt.Sprintf(`CREATE INDEX embeddings_small ON embeddings USING hnsw ((v::vector(%d)) vector_ip_ops) WHERE model = 'small' AND array_length(v, 1) = %[1]d`, dimensions))
	require.NoError(t, err)
	var size float64
	require.NoError(t, super.QueryRow(`SELECT pg_relation_size('embeddings_small')`).Scan(&size))
	t.Logf("HNSW built in %s: %.0f MB", time.Since(start).Round(time.Second), size/1e6)
	near := ask("pgvector, HNSW", questions)
	same, all := 0, 0
	for i := range exact {
		for _, id := range exact[i] {
			all++
			if slices.Contains(near[i], id) {
				same++
			}
		}
	}
	t.Logf("recall of HNSW at 10: %.3f", float64(same)/float64(all))
	_, err = super.Exec(`DROP EXTENSION vector CASCADE`)
	require.NoError(t, err)
	require.Equal(t, exact[0], ask("without pgvector", 10)[0])
}
