package store

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"whence/internal/learning"
)

// Unembedded is a learning without an embedding.
type Unembedded struct {
	ID   string
	Text string // to embed: name, description, keywords, reasoning
}

// Unembedded returns at most a number of learnings without an embedding of a model, the newest
// first. Without a model, "", it returns none: existing embeddings stay for when it is back.
func (s *Store) Unembedded(ctx context.Context, model string, most int) (missing []Unembedded, err error) {
	if model == "" {
		return nil, nil
	}
	err = s.write(ctx, LearningsLock, func(tx Conn) error {
		condition, err := tx.engine.Unembedded(ctx, tx, model)
		if err != nil {
			return err
		}
		rows, err := tx.learnings(ctx, `WHERE e.retired IS NULL AND `+condition+` ORDER BY e.seq DESC LIMIT $2`, model, most)
		missing = nil
		for _, l := range rows {
			missing = append(missing, Unembedded{l.ID, embeddedText(l.Learning)})
		}
		return err
	})
	return missing, wrap("look for learnings without embedding", err)
}

func embeddedText(l learning.Learning) string {
	return strings.Join([]string{l.Name, l.Description, strings.Join(l.Keywords, " "), l.Reasoning}, " ")
}

// Embed stores the embedding of a learning, made of a text of Unembedded. It is dropped if the
// learning has changed or gone, or the model is another by now.
func (s *Store) Embed(ctx context.Context, model string, u Unembedded, vector []float32) error {
	if len(vector) == 0 {
		return errors.New("store an embedding: it is empty")
	}
	err := s.write(ctx, LearningsLock, func(tx Conn) error {
		rows, err := tx.learnings(ctx, `WHERE e.id = $1 LIMIT 1`, u.ID)
		if err != nil || len(rows) == 0 || embeddedText(rows[0].Learning) != u.Text {
			return err
		}
		return tx.engine.Embed(ctx, tx, rows[0].seq, model, vector)
	})
	return wrap("store an embedding", err)
}

// Nearest returns the ids of the learnings whose embeddings are most similar to a vector of a
// model, best first; q.Evidence is the minimum similarity. Embeddings of another model or length
// are skipped.
func (s *Store) Nearest(ctx context.Context, model string, vector []float32, q Query) (ids []string, err error) {
	ids, err = s.conn.engine.Nearest(ctx, s.conn, model, vector, q)
	return ids, wrap("search the embeddings", s.explained(err))
}

// Neighbor is a learning with the similarity of its embedding.
type Neighbor struct {
	ID         string
	Similarity float64
}

// Nearest returns the ids of the neighbors that the query allows, best first.
func (q Query) Nearest(all []Neighbor) (ids []string) {
	slices.SortStableFunc(all, func(a, b Neighbor) int { return cmp.Compare(b.Similarity, a.Similarity) })
	for _, n := range all {
		if n.Similarity >= q.Evidence && (q.Most <= 0 || len(ids) < q.Most) {
			ids = append(ids, n.ID)
		}
	}
	return ids
}
