package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"whence/internal/learning"
)

// Unembedded is a learning that has no embedding yet.
type Unembedded struct {
	ID   string
	Text string // what is to be embedded: name, description, keywords, reasoning
}

// metaModel names the model of all embeddings, in the table meta.
const metaModel = "embedding_model"

// Unembedded returns learnings without an embedding of a model, the newest first. Where
// the embeddings are those of another model they are all dropped: two models cannot be
// compared.
//
// Without a model, "", there is nothing to do: what is embedded stays for when it is back.
func (s *Store) Unembedded(ctx context.Context, model string, most int) (missing []Unembedded, err error) {
	if model == "" {
		return nil, nil
	}
	err = s.write(ctx, func(tx *sql.Tx) error {
		var known string
		err := tx.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = ?`, metaModel).Scan(&known)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if known != model {
			if _, err := tx.ExecContext(ctx, `UPDATE entries SET embedding = NULL WHERE embedding IS NOT NULL`); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, metaModel, model); err != nil {
				return err
			}
		}
		rows, err := tx.QueryContext(ctx, `SELECT `+columns+` FROM entries e WHERE embedding IS NULL AND retired IS NULL ORDER BY seq DESC LIMIT ?`, most)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			_, l, err := scan(rows)
			if err != nil {
				return err
			}
			missing = append(missing, Unembedded{l.ID, embeddedText(l)})
		}
		return rows.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("look for learnings without embedding: %w", err)
	}
	return missing, nil
}

func embeddedText(l learning.Learning) string {
	return strings.Join([]string{l.Name, l.Description, strings.Join(l.Keywords, " "), l.Reasoning}, " ")
}

// Embed stores the embedding of a learning, made of a text of Unembedded. It is dropped
// where the learning has changed or gone, or the model is another by now.
func (s *Store) Embed(ctx context.Context, model string, u Unembedded, vector []float32) error {
	if len(vector) == 0 {
		return errors.New("store an embedding: it is empty")
	}
	err := s.write(ctx, func(tx *sql.Tx) error {
		seq, l, err := scan(tx.QueryRowContext(ctx, `SELECT `+columns+` FROM entries e WHERE id = ?`, u.ID))
		if errors.Is(err, sql.ErrNoRows) || err == nil && embeddedText(l) != u.Text {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE entries SET embedding = ? WHERE seq = ? AND (SELECT value FROM meta WHERE key = ?) = ?`, vectorBlob(vector), seq, metaModel, model)
		return err
	})
	if err != nil {
		return fmt.Errorf("store an embedding: %w", err)
	}
	return nil
}

// Nearest are the ids of the learnings whose embeddings are most like a vector of a
// model, best first; q.Evidence is the least similarity. Embeddings of another model or
// length are passed over.
func (s *Store) Nearest(ctx context.Context, model string, vector []float32, q Query) (ids []string, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id, embedding FROM entries WHERE embedding IS NOT NULL AND length(embedding) = ? AND (SELECT value FROM meta WHERE key = ?) = ?
		AND (? OR source_project IS NULL OR source_project = ?) AND (? OR retired IS NULL) AND ? IN ('', category)`,
		4*len(vector), metaModel, model, q.Everywhere, q.Project, q.Retired, string(q.Category))
	if err != nil {
		return nil, fmt.Errorf("search the embeddings: %w", s.explained(err))
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
			return nil, fmt.Errorf("search the embeddings: %w", s.explained(err))
		}
		if similarity := dot(vector, blob); similarity >= q.Evidence {
			all = append(all, near{id, similarity})
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("search the embeddings: %w", s.explained(err))
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
