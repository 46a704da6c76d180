package store

import (
	"context"
	"fmt"

	"whence/internal/learning"
)

// selected is the SQL condition for the learnings that a query selects.
const selected = visible + ` AND @category IN ('', e.category)`

// List returns the selected learnings, the newest first.
func (s *Store) List(ctx context.Context, q Query) ([]learning.Learning, error) {
	return s.list(ctx, `WHERE `+selected+` ORDER BY e.created_at DESC, e.seq DESC LIMIT @max`, q.params())
}

// Count returns the number of selected learnings, at most Max.
func (s *Store) Count(ctx context.Context, q Query) (n int, err error) {
	_, err = s.conn.get(ctx, `SELECT count(*) FROM (SELECT 1 FROM entries e WHERE `+selected+` LIMIT @max)`, q.params(), &n)
	return n, s.wrap("count what is stored", err)
}

// Prominent returns the learnings of a scope that were observed most and those that were updated last:
// at most maxEach of each kind, without duplicates.
func (s *Store) Prominent(ctx context.Context, in Scope, maxEach int) ([]learning.Learning, error) {
	best := func(column string) string {
		return fmt.Sprintf(`SELECT * FROM (SELECT e.seq FROM entries e WHERE %s ORDER BY %s DESC, seq DESC LIMIT @max)`, visible, column)
	}
	p := in.params()
	p["max"] = maxEach
	return s.list(ctx, `WHERE e.seq IN (`+best("observation_count")+` UNION `+best("updated_at")+`) ORDER BY e.seq`, p)
}

func (s *Store) list(ctx context.Context, clauses string, p params) (found []learning.Learning, err error) {
	rows, err := s.conn.learnings(ctx, clauses, p)
	for _, row := range rows {
		found = append(found, row.Learning)
	}
	return found, s.wrap("list the store", err)
}
