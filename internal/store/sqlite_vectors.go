package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// metaModel names the model of all embeddings, in the table meta.
const metaModel = "embedding_model"

// Unembedded drops the embeddings of any other model: two cannot be compared.
func (sqlite) Unembedded(ctx context.Context, tx Conn, model string, most int) (*sql.Rows, error) {
	var known string
	err := tx.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = $1`, metaModel).Scan(&known)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	if known != model {
		if _, err := tx.ExecContext(ctx, `UPDATE entries SET embedding = NULL WHERE embedding IS NOT NULL`); err != nil {
			return nil, err
		}
		if err := setMeta(ctx, tx, metaModel, model); err != nil {
			return nil, err
		}
	}
	return tx.QueryContext(ctx, `SELECT `+Columns+` FROM entries e WHERE embedding IS NULL AND retired IS NULL ORDER BY seq DESC LIMIT $1`, most)
}

func (sqlite) Embed(ctx context.Context, tx Conn, seq int64, model string, vector []float32) error {
	_, err := tx.ExecContext(ctx, `UPDATE entries SET embedding = $1 WHERE seq = $2 AND (SELECT value FROM meta WHERE key = $3) = $4`, vectorBlob(vector), seq, metaModel, model)
	return err
}

func (sqlite) Unembed(ctx context.Context, tx Conn, seq int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE entries SET embedding = NULL WHERE seq = $1`, seq)
	return err
}

func (sqlite) Embeddings(ctx context.Context, c Conn) (n int, err error) {
	err = c.QueryRowContext(ctx, `SELECT count(*) FROM entries WHERE embedding IS NOT NULL AND retired IS NULL`).Scan(&n)
	return n, err
}

// Nearest looks at each embedding.
func (sqlite) Nearest(ctx context.Context, c Conn, model string, vector []float32, q Query) (ids []string, err error) {
	rows, err := c.QueryContext(ctx, `SELECT id, embedding FROM entries WHERE embedding IS NOT NULL AND length(embedding) = $1 AND (SELECT value FROM meta WHERE key = $2) = $3
		AND ($4 OR source_project IS NULL OR source_project = $5) AND ($6 OR retired IS NULL) AND $7 IN ('', category)`,
		4*len(vector), metaModel, model, q.Everywhere, q.Project, q.Retired, string(q.Category))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	type near struct {
		id    string
		value float64
	}
	var all []near
	for rows.Next() {
		var id string
		var blob sql.RawBytes
		if err := rows.Scan(&id, &blob); err != nil {
			return nil, err
		}
		if similarity := dot(vector, blob); similarity >= q.Evidence {
			all = append(all, near{id, similarity})
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(b.value, a.value) })
	if q.Most > 0 {
		all = all[:min(len(all), q.Most)]
	}
	for _, n := range all {
		ids = append(ids, n.id)
	}
	return ids, nil
}

// vectorBlob is a vector in a column: float32, little-endian.
func vectorBlob(vector []float32) []byte {
	blob := make([]byte, 0, 4*len(vector))
	for _, x := range vector {
		blob = binary.LittleEndian.AppendUint32(blob, math.Float32bits(x))
	}
	return blob
}

// dot is the product of a vector with one in a column, of the same length.
func dot(vector []float32, blob []byte) (sum float64) {
	for i, x := range vector {
		sum += float64(x) * float64(math.Float32frombits(binary.LittleEndian.Uint32(blob[4*i:])))
	}
	return sum
}
