package store

import (
	"context"
	"database/sql"
	"time"
)

// Stats are figures about a store.
type Stats struct {
	Learnings  int
	Turns      int
	Sessions   int
	NewestTurn *time.Time

	// RecalledFromSessions is the percentage of learnings from sessions among those that were put
	// before an agent (SC-4 of the specification: at most 40).
	RecalledFromSessions *float64 // nil: none was
	// CapturedThisWeek is the number of learnings from sessions of the last 7 days (SC-5: at least 3).
	CapturedThisWeek int
}

// The queries of the specification, for all databases.
const (
	querySessionShare = `SELECT round(100.0 * sum(CASE WHEN source = 'session-capture' THEN 1 ELSE 0 END) / nullif(count(*), 0), 1) FROM entries WHERE last_recalled_at IS NOT NULL`
	queryThisWeek     = `SELECT count(*) FROM entries WHERE source = 'session-capture' AND created_at > $1`
)

// Stats counts what is stored.
func (s *Store) Stats(ctx context.Context, now time.Time) (Stats, error) {
	st, err := s.stats(ctx, now)
	return st, wrap("count what is stored", s.explained(err))
}

func (s *Store) stats(ctx context.Context, now time.Time) (st Stats, err error) {
	var newest sql.NullString
	for _, count := range []struct {
		into  any
		query string
		args  []any
	}{
		{&st.Learnings, `SELECT count(*) FROM entries WHERE retired IS NULL`, nil},
		{&st.RecalledFromSessions, querySessionShare, nil},
		{&st.CapturedThisWeek, queryThisWeek, []any{now.UTC().AddDate(0, 0, -7).Format(time.DateOnly)}},
		{&st.Turns, `SELECT count(*) FROM turns`, nil},
		{&st.Sessions, `SELECT count(DISTINCT session) FROM turns`, nil},
		{&newest, `SELECT max(created_at) FROM turns`, nil},
	} {
		if _, err := s.conn.get(ctx, count.query, count.args, count.into); err != nil {
			return st, err
		}
	}
	if newest.Valid {
		last := parseTime(newest)
		st.NewestTurn = &last
	}
	return st, nil
}
