package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"

	"whence/internal/learning"
)

// Unembedded is a learning without an embedding.
type Unembedded struct {
	Text string // to embed: name, description, keywords, reasoning

	seq   int64
	words string
}

// Unembedded returns up to maxLearnings learnings without an embedding of the model, the newest first.
func (s *Store) Unembedded(ctx context.Context, model string, maxLearnings int) (missing []Unembedded, err error) {
	rows, err := s.conn.learnings(ctx, `WHERE e.embedding_model IS NOT @model ORDER BY e.seq DESC LIMIT @max`,
		params{"model": model, "max": maxLearnings})
	for _, row := range rows {
		text := strings.Join([]string{row.Name, row.Description, strings.Join(row.Keywords, " "), row.Reasoning}, " ")
		missing = append(missing, Unembedded{text, row.seq, row.words})
	}
	return missing, s.wrap("look for learnings without embedding", err)
}

// Embed stores the embedding of a learning, or nothing if the learning has been changed or deleted.
func (s *Store) Embed(ctx context.Context, model string, u Unembedded, vector []float32) error {
	blob := make([]byte, 0, 4*len(vector))
	for _, x := range vector {
		blob = binary.LittleEndian.AppendUint32(blob, math.Float32bits(x))
	}
	err := s.write(ctx, func(tx conn) error {
		return tx.exec(ctx, `UPDATE entries SET embedding = @embedding, embedding_model = @model WHERE seq = @seq AND words = @words`,
			params{"seq": u.seq, "words": u.words, "model": model, "embedding": blob})
	})
	return s.wrap("store an embedding", err)
}

// Nearest returns the learnings whose embeddings are most similar to a vector of a model, best first;
// q.Evidence is the minimum similarity. Embeddings of another model or length are skipped.
func (s *Store) Nearest(ctx context.Context, model string, vector []float32, q Query) (nearest []learning.Learning, err error) {
	type neighbor struct {
		seq        int64
		similarity float64
	}
	var all []neighbor
	p := q.params()
	p["model"], p["bytes"] = model, 4*len(vector)
	err = s.conn.each(ctx, `SELECT e.seq, e.embedding FROM entries e WHERE e.embedding_model = @model AND length(e.embedding) = @bytes
		AND `+selected, p, func(row *sql.Rows) error {
		var n neighbor
		var blob sql.RawBytes // not copied: it is valid until the next row
		if err := row.Scan(&n.seq, &blob); err != nil {
			return err
		}
		if n.similarity = dot(vector, blob); n.similarity >= q.Evidence {
			all = append(all, n)
		}
		return nil
	})
	slices.SortStableFunc(all, func(a, b neighbor) int { return cmp.Compare(b.similarity, a.similarity) })
	if q.Max > 0 {
		all = all[:min(len(all), q.Max)]
	}
	for _, n := range all {
		rows, fault := s.conn.learnings(ctx, `WHERE e.seq = @seq`, params{"seq": n.seq})
		err = errors.Join(err, fault)
		for _, row := range rows {
			nearest = append(nearest, row.Learning)
		}
	}
	return nearest, s.wrap("search the embeddings", err)
}

// dot returns the dot product of a vector and a stored one of the same length.
func dot(vector []float32, blob []byte) (sum float64) {
	for i, x := range vector {
		sum += float64(x) * float64(math.Float32frombits(binary.LittleEndian.Uint32(blob[4*i:])))
	}
	return sum
}
