package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"math"
)

// metaModel is the key of the model of all embeddings, in the table meta.
const metaModel = "embedding_model"

// Unembedded drops the embeddings of another model: two cannot be compared.
func (sqlite) Unembedded(ctx context.Context, tx Conn, model string) (condition string, err error) {
	var known string
	if _, err := tx.get(ctx, `SELECT value FROM meta WHERE key = $1`, []any{metaModel}, &known); err != nil {
		return "", err
	}
	if known != model {
		if err := tx.exec(ctx, `UPDATE entries SET embedding = NULL WHERE embedding IS NOT NULL`); err != nil {
			return "", err
		}
		if err := setMeta(ctx, tx, metaModel, model); err != nil {
			return "", err
		}
	}
	return `e.embedding IS NULL`, nil
}

func (sqlite) Embed(ctx context.Context, tx Conn, seq int64, model string, vector []float32) error {
	return tx.exec(ctx, `UPDATE entries SET embedding = $1 WHERE seq = $2 AND (SELECT value FROM meta WHERE key = $3) = $4`, vectorBlob(vector), seq, metaModel, model)
}

func (sqlite) Unembed() string { return `UPDATE entries SET embedding = NULL WHERE seq = $1` }

// Nearest looks at each embedding.
func (sqlite) Nearest(ctx context.Context, c Conn, model string, vector []float32, q Query) ([]string, error) {
	neighbors, err := Collect(ctx, c, func(row Scanner) (n Neighbor, err error) {
		var blob sql.RawBytes // not copied: it is valid until the next row
		err = row.Scan(&n.ID, &blob)
		if err == nil {
			n.Similarity = dot(vector, blob)
		}
		return n, err
	}, `SELECT id, embedding FROM entries WHERE embedding IS NOT NULL AND length(embedding) = $1 AND (SELECT value FROM meta WHERE key = $2) = $3
		AND ($4 OR source_project IS NULL OR source_project = $5) AND ($6 OR retired IS NULL) AND $7 IN ('', category)`,
		4*len(vector), metaModel, model, q.Everywhere, q.Project, q.Retired, string(q.Category))
	return q.Nearest(neighbors), err
}

// vectorBlob returns a vector as it is stored: float32, little-endian.
func vectorBlob(vector []float32) []byte {
	blob := make([]byte, 0, 4*len(vector))
	for _, x := range vector {
		blob = binary.LittleEndian.AppendUint32(blob, math.Float32bits(x))
	}
	return blob
}

// dot returns the product of a vector and a stored one of the same length.
func dot(vector []float32, blob []byte) (sum float64) {
	for i, x := range vector {
		sum += float64(x) * float64(math.Float32frombits(binary.LittleEndian.Uint32(blob[4*i:])))
	}
	return sum
}
