package store

import (
	"context"
	"time"
)

// Stats are figures about a store.
type Stats struct {
	Learnings int
	Turns     int
	Sessions  int

	// RecalledFromSessions is the percentage of learnings from sessions among those that were put
	// before an agent (SC-4 of the specification: at most 40).
	RecalledFromSessions *float64 // nil: there are none
	// CapturedThisWeek is the number of learnings from sessions of the last 7 days (SC-5: at least 3).
	CapturedThisWeek int
}

// Stats counts what is stored. The queries of SC-4 and SC-5 are those of the specification.
func (s *Store) Stats(ctx context.Context, now time.Time) (st Stats, err error) {
	_, err = s.conn.get(ctx, `SELECT (SELECT count(*) FROM entries),
		(SELECT ROUND(100.0 * SUM(CASE WHEN source='session-capture' THEN 1 ELSE 0 END) / COUNT(*), 1)
			FROM entries WHERE last_recalled_at IS NOT NULL),
		(SELECT COUNT(*) FROM entries WHERE source='session-capture' AND created_at > date(@now, '-7 days')),
		(SELECT count(*) FROM turns), (SELECT count(DISTINCT session) FROM turns)`, params{"now": now},
		&st.Learnings, &st.RecalledFromSessions, &st.CapturedThisWeek, &st.Turns, &st.Sessions)
	return st, s.wrap("count what is stored", err)
}

// Check returns the first fault of the database file, or "".
func (s *Store) Check(ctx context.Context) (fault string, err error) {
	_, err = s.conn.get(ctx, `PRAGMA quick_check(1)`, nil, &fault)
	if fault == "ok" {
		fault = ""
	}
	return fault, s.wrap("check the store", err)
}
