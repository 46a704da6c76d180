package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/jackc/pgx/v5/pgtype"

	"whence/internal/store"
)

// hasVector is the condition that pgvector is on the search path of the login.
const hasVector = `to_regtype('vector') IS NOT NULL`

func (engine) Unembedded(ctx context.Context, tx store.Conn, model string, most int) (*sql.Rows, error) {
	return tx.QueryContext(ctx, `SELECT `+store.Columns+` FROM entries e WHERE retired IS NULL AND NOT EXISTS (SELECT FROM embeddings v WHERE v.entry = e.seq AND v.model = $1) ORDER BY seq DESC LIMIT $2`, model, most)
}

// Embed keeps the embeddings of each model: colleagues may use others.
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

func (engine) Unembed(ctx context.Context, tx store.Conn, seq int64) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM embeddings WHERE entry = $1`, seq)
	return err
}

func (engine) Embeddings(ctx context.Context, c store.Conn) (n int, err error) {
	err = c.QueryRowContext(ctx, `SELECT count(*) FROM entries e WHERE retired IS NULL AND EXISTS (SELECT FROM embeddings v WHERE v.entry = e.seq)`).Scan(&n)
	return n, err
}

// Nearest uses pgvector where it is, and else looks at each embedding.
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
		return each(ctx, c, `SELECT e.id, v.v `+allowed, arguments, vector, q)
	}
	distance := fmt.Sprintf(`v.v::vector(%d) <#> $7::real[]::vector(%[1]d)`, len(vector)) // minus the product
	arguments = append(arguments, vector, most)
	// The index leads to those of all teams, and may end before there are enough of one's
	// own: then these are compared.
	for _, order := range []string{distance, `(` + distance + `) + 0`} {
		found := int64(0)
		ids = nil
		rows, err := c.QueryContext(ctx, `SELECT e.id, `+distance+` `+allowed+` ORDER BY `+order+` LIMIT $8`, arguments...)
		if err != nil {
			return nil, err
		}
		for ; rows.Next() && err == nil; found++ {
			var id string
			var distance float64
			if err = rows.Scan(&id, &distance); err == nil && -distance >= q.Evidence {
				ids = append(ids, id)
			}
		}
		if err := errors.Join(err, rows.Err(), rows.Close()); err != nil {
			return nil, err
		}
		if found >= most {
			break
		}
	}
	return ids, nil
}

// each compares a vector with those of a query.
func each(ctx context.Context, c store.Conn, query string, arguments []any, vector []float32, q store.Query) (ids []string, err error) {
	rows, err := c.QueryContext(ctx, query, arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	type near struct {
		id    string
		value float64
	}
	var all []near
	types := pgtype.NewMap()
	for rows.Next() {
		var n near
		var v []float32
		if err := rows.Scan(&n.id, types.SQLScanner(&v)); err != nil {
			return nil, err
		}
		if len(v) != len(vector) {
			return nil, errors.New("an embedding has another length than is said")
		}
		for i, x := range v {
			n.value += float64(x) * float64(vector[i])
		}
		if n.value >= q.Evidence {
			all = append(all, n)
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(b.value, a.value) })
	if q.Most > 0 {
		all = all[:min(len(all), q.Most)]
	}
	for _, n := range all {
		ids = append(ids, n.id)
	}
	return ids, rows.Err()
}
