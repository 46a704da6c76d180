package store

import (
	"context"
	"fmt"
	"math"

	"whence/internal/learning"
)

// Filter says which learnings are meant.
type Filter struct {
	Project    string            // its learnings, and the global ones
	Everywhere bool              // those of all projects
	Category   learning.Category // "": all
	Source     learning.Source   // "": all
	Retired    bool              // those that no longer apply too
	Most       int               // 0: all
}

// where is the condition for what a filter lets through, with its arguments.
func (f Filter) where() (condition string, arguments []any) {
	return `WHERE ($1 OR source_project IS NULL OR source_project = $2) AND ($3 OR retired IS NULL) AND $4 IN ('', category) AND $5 IN ('', source)`,
		[]any{f.Everywhere, f.Project, f.Retired, string(f.Category), string(f.Source)}
}

// List returns learnings, the newest first.
func (s *Store) List(ctx context.Context, f Filter) ([]learning.Learning, error) {
	most := f.Most
	if most <= 0 {
		most = math.MaxInt
	}
	where, arguments := f.where()
	found, err := s.query(ctx, where+` ORDER BY e.created_at DESC, e.seq DESC LIMIT $6`, append(arguments, most)...)
	if err != nil {
		return nil, fmt.Errorf("list the store: %w", s.explained(err))
	}
	return found, nil
}

// Count is how many learnings a filter lets through; Most does not matter.
func (s *Store) Count(ctx context.Context, f Filter) (n int, err error) {
	where, arguments := f.where()
	if err := s.conn.QueryRowContext(ctx, `SELECT count(*) FROM entries `+where, arguments...).Scan(&n); err != nil {
		return 0, fmt.Errorf("count what is stored: %w", err)
	}
	return n, nil
}

// CountRecords is how many records Dump has for a scope, as [Records.Size] counts them, or
// more.
func (s *Store) CountRecords(ctx context.Context, scope Scope) (n int, err error) {
	err = s.conn.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM entries WHERE $1 OR source_project IS NULL OR source_project = $2)
		+ (SELECT count(*) FROM captured WHERE $1 OR session IN (SELECT session FROM turns WHERE project = $3 UNION SELECT session FROM transcripts WHERE project = $3))`,
		scope.Everything, scope.Project, scope.Talk).Scan(&n)
	return n, s.explained(err)
}

// Projects are those that learnings or turns belong to, in order.
func (s *Store) Projects(ctx context.Context) (all []string, err error) {
	err = each(ctx, s.conn, `SELECT source_project FROM entries WHERE source_project IS NOT NULL UNION SELECT project FROM turns WHERE project IS NOT NULL ORDER BY 1`, nil, func(scan func(...any) error) error {
		var project string
		err := scan(&project)
		all = append(all, project)
		return err
	})
	return all, s.explained(err)
}

// MaxObservations is the largest number of observations of any learning, 1 or more.
func (s *Store) MaxObservations(ctx context.Context) (n int, err error) {
	err = s.conn.QueryRowContext(ctx, `SELECT coalesce(max(observation_count), 1) FROM entries`).Scan(&n)
	return max(n, 1), err
}
