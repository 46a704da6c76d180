package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"whence/internal/learning"
)

// Unembedded is a learning that has no embedding yet.
type Unembedded struct {
	ID   string
	Text string // what is to be embedded: name, description, keywords, reasoning
}

// Unembedded returns learnings without an embedding of a model, the newest first.
//
// Without a model, "", there is nothing to do: what is embedded stays for when it is back.
func (s *Store) Unembedded(ctx context.Context, model string, most int) (missing []Unembedded, err error) {
	if model == "" {
		return nil, nil
	}
	err = s.write(ctx, Learnings, func(tx Conn) error {
		missing = nil
		rows, err := s.engine.Unembedded(ctx, tx, model, most)
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
	err := s.write(ctx, Learnings, func(tx Conn) error {
		seq, l, err := scan(tx.QueryRowContext(ctx, `SELECT `+Columns+` FROM entries e WHERE id = $1`, u.ID))
		if errors.Is(err, sql.ErrNoRows) || err == nil && embeddedText(l) != u.Text {
			return nil
		}
		if err != nil {
			return err
		}
		return s.engine.Embed(ctx, tx, seq, model, vector)
	})
	if err != nil {
		return fmt.Errorf("store an embedding: %w", err)
	}
	return nil
}

// Nearest returns the ids of the learnings whose embeddings are most like a vector of a
// model, best first; q.Evidence is the minimum similarity. Embeddings of another model or
// length are skipped.
func (s *Store) Nearest(ctx context.Context, model string, vector []float32, q Query) (ids []string, err error) {
	ids, err = s.engine.Nearest(ctx, s.conn, model, vector, q)
	if err != nil {
		return nil, fmt.Errorf("search the embeddings: %w", s.explained(err))
	}
	return ids, nil
}
