package store

import (
	"context"
	"fmt"
	"strconv"

	"whence/internal/learning"
)

// Filter selects learnings.
type Filter struct {
	Project    string            // its learnings, and global ones
	Everywhere bool              // all projects
	Category   learning.Category // "": all
	Source     learning.Source   // "": all
	Retired    bool              // includes retired ones
	Most       int               // maximum number; 0: all
}

// limit returns a clause that ends a query. It has no argument: SQLite would plan the query once more
// as soon as it has the value.
func (f Filter) limit() string {
	if f.Most <= 0 {
		return ""
	}
	return ` LIMIT ` + strconv.Itoa(f.Most)
}

// where returns the condition of a filter, with its 5 arguments.
func (f Filter) where() (condition string, arguments []any) {
	return `WHERE ($1 OR source_project IS NULL OR source_project = $2) AND ($3 OR retired IS NULL) AND $4 IN ('', category) AND $5 IN ('', source)`,
		[]any{f.Everywhere, f.Project, f.Retired, string(f.Category), string(f.Source)}
}

// List returns the selected learnings, the newest first.
func (s *Store) List(ctx context.Context, f Filter) ([]learning.Learning, error) {
	where, arguments := f.where()
	found, err := s.list(ctx, where+` ORDER BY e.created_at DESC, e.seq DESC`+f.limit(), arguments...)
	return found, wrap("list the store", s.explained(err))
}

// Count returns the number of selected learnings. It stops at Most.
func (s *Store) Count(ctx context.Context, f Filter) (n int, err error) {
	where, arguments := f.where()
	if f.Category == "" && f.Source == "" && !f.Everywhere && !f.Retired { // the usual ones, which an index counts
		where, arguments = `WHERE coalesce(source_project, '') IN ('', $1) AND retired IS NULL`, []any{f.Project}
	}
	if _, err := s.conn.get(ctx, `SELECT count(*) FROM (SELECT 1 FROM entries `+where+f.limit()+`) AS counted`, arguments, &n); err != nil {
		return 0, fmt.Errorf("count what is stored: %w", err)
	}
	return n, nil
}

// CountRecords returns the number of records that Dump has for a scope, or more, as [Records.Size]
// counts them.
func (s *Store) CountRecords(ctx context.Context, scope Scope) (n int, err error) {
	_, err = s.conn.get(ctx, `SELECT (SELECT count(*) FROM entries WHERE $1 OR source_project IS NULL OR source_project = $2)
		+ (SELECT count(*) FROM captured WHERE $1 OR session IN (SELECT session FROM turns WHERE project = $3 UNION SELECT session FROM transcripts WHERE project = $3))`,
		[]any{scope.Everything, scope.Project, scope.Talk}, &n)
	return n, s.explained(err)
}

// Projects returns the projects of all learnings and turns, sorted.
func (s *Store) Projects(ctx context.Context) ([]string, error) {
	all, err := Collect(ctx, s.conn, value[string], `SELECT source_project FROM entries WHERE source_project IS NOT NULL UNION SELECT project FROM turns WHERE project IS NOT NULL ORDER BY 1`)
	return all, s.explained(err)
}

// MaxObservations returns the largest number of observations of any learning, at least 1.
func (s *Store) MaxObservations(ctx context.Context) (n int, err error) {
	_, err = s.conn.get(ctx, `SELECT coalesce(max(observation_count), 1) FROM entries`, nil, &n)
	return max(n, 1), err
}
