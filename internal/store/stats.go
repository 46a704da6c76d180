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
	RecalledFromSessions *float64 // nil: none was
	// CapturedThisWeek is the number of learnings from sessions of the last 7 days (SC-5: at least 3).
	CapturedThisWeek int
}

// The queries of the specification.
const (
	querySessionShare = `SELECT ROUND(100.0 * SUM(CASE WHEN source='session-capture' THEN 1 ELSE 0 END) / COUNT(*), 1)
		FROM entries WHERE last_recalled_at IS NOT NULL`
	queryThisWeek = `SELECT COUNT(*) FROM entries WHERE source='session-capture' AND created_at > date(@now, '-7 days')`
)

// Stats counts what is stored.
func (s *Store) Stats(ctx context.Context, now time.Time) (st Stats, err error) {
	for query, into := range map[string]any{
		`SELECT count(*) FROM entries`:              &st.Learnings,
		querySessionShare:                           &st.RecalledFromSessions,
		queryThisWeek:                               &st.CapturedThisWeek,
		`SELECT count(*) FROM turns`:                &st.Turns,
		`SELECT count(DISTINCT session) FROM turns`: &st.Sessions,
	} {
		if _, err := (conn{s.db}).get(ctx, query, params{"now": now}, into); err != nil {
			return st, s.wrap("count what is stored", err)
		}
	}
	return st, nil
}

// Check reports what is wrong with the file, "" if nothing is.
func (s *Store) Check(ctx context.Context) (fault string, err error) {
	_, err = conn{s.db}.get(ctx, `PRAGMA quick_check(1)`, nil, &fault)
	if fault == "ok" {
		fault = ""
	}
	return fault, s.wrap("check the store", err)
}
