package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5/pgtype"

	"whence/internal/store"
)

// hasVector is the condition that pgvector is on the search path of the login.
const hasVector = `to_regtype('vector') IS NOT NULL`

func (engine) Unembedded(context.Context, store.Conn, string) (string, error) {
	return `NOT EXISTS (SELECT FROM embeddings v WHERE v.entry = e.seq AND v.model = $1)`, nil
}

// Embed stores the embeddings of each model: colleagues may use others.
func (engine) Embed(ctx context.Context, tx store.Conn, seq int64, model string, vector []float32) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM embeddings WHERE entry = $1 AND model = $2`, seq, model)
	if err == nil {
		_, err = tx.ExecContext(ctx, `INSERT INTO embeddings (entry, model, v) VALUES ($1, $2, $3)`, seq, model, vector)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `SELECT index_vectors($1, $2)`, model, len(vector))
	}
	return err
}

func (engine) Unembed() string { return `DELETE FROM embeddings WHERE entry = $1` }

// Nearest uses pgvector if the server has it, and else compares each embedding.
func (engine) Nearest(ctx context.Context, c store.Conn, model string, vector []float32, q store.Query) (ids []string, err error) {
	var has bool
	if err := c.QueryRowContext(ctx, `SELECT `+hasVector).Scan(&has); err != nil {
		return nil, err
	}
	most := int64(q.Most)
	if most <= 0 {
		most = math.MaxInt64
	}
	const allowed = `FROM embeddings v JOIN entries e ON e.seq = v.entry
		WHERE v.model = $1 AND array_length(v.v, 1) = $2 AND ($3 OR e.source_project IS NULL OR e.source_project = $4) AND ($5 OR e.retired IS NULL) AND $6 IN ('', e.category)`
	arguments := []any{model, len(vector), q.Everywhere, q.Project, q.Retired, string(q.Category)}
	if !has {
		return compareEach(ctx, c, `SELECT e.id, v.v `+allowed, arguments, vector, q)
	}
	distance := fmt.Sprintf(`v.v::vector(%d) <#> $7::real[]::vector(%[1]d)`, len(vector)) // minus the product
	arguments = append(arguments, vector, most)
	// The index has the embeddings of all teams, and may end before there are enough of this one:
	// then each is compared.
	for _, order := range []string{distance, `(` + distance + `) + 0`} {
		found, err := store.Collect(ctx, c, func(row store.Scanner) (n store.Neighbor, err error) {
			err = row.Scan(&n.ID, &n.Similarity)
			n.Similarity = -n.Similarity
			return n, err
		}, `SELECT e.id, `+distance+` `+allowed+` ORDER BY `+order+` LIMIT $8`, arguments...)
		if ids = q.Nearest(found); err != nil || int64(len(found)) >= most {
			return ids, err
		}
	}
	return ids, nil
}

// compareEach returns the nearest of the embeddings that a query selects.
func compareEach(ctx context.Context, c store.Conn, query string, arguments []any, vector []float32, q store.Query) ([]string, error) {
	types := pgtype.NewMap()
	all, err := store.Collect(ctx, c, func(row store.Scanner) (n store.Neighbor, err error) {
		var v []float32
		if err := row.Scan(&n.ID, types.SQLScanner(&v)); err != nil {
			return n, err
		}
		if len(v) != len(vector) {
			return n, errors.New("an embedding has another length than is said")
		}
		for i, x := range v {
			n.Similarity += float64(x) * float64(vector[i])
		}
		return n, nil
	}, query, arguments...)
	return q.Nearest(all), err
}
