package store

import (
	"context"
	"database/sql"
	"time"
)

// Stats are figures about a store. Except for Retired, those of learnings are without retired ones.
type Stats struct {
	Learnings  int            `json:"learnings"`
	Retired    int            `json:"retired"`
	Categories map[string]int `json:"categories"`
	Sources    map[string]int `json:"sources"`
	Confidence map[string]int `json:"confidence"`
	Projects   int            `json:"projects"`
	Global     int            `json:"global"`

	NeverRecalled int `json:"never_recalled"` // never put before an agent
	NeverUsed     int `json:"never_used"`     // neither found by a search nor helpful
	Stale         int `json:"stale"`          // neither observed nor used for 60 days

	// RecalledFromSessions is the percentage of learnings from sessions among those that were put
	// before an agent (SC-4 of the specification: at most 40).
	RecalledFromSessions *float64 `json:"recalled_from_sessions_percent"` // nil: none was
	// CapturedThisWeek is the number of learnings from sessions of the last 7 days (SC-5: at least 3).
	CapturedThisWeek int `json:"captured_this_week"`

	Turns      int        `json:"turns"`
	Sessions   int        `json:"sessions"`
	TurnBytes  int64      `json:"turn_bytes"` // of text
	OldestTurn *time.Time `json:"oldest_turn"`
	NewestTurn *time.Time `json:"newest_turn"`
	Embeddings int        `json:"embeddings"` // learnings with one
	Pending    int        `json:"pending_embeddings"`
	Bytes      int64      `json:"bytes"` // of the file
}

// The queries of the specification, for all databases.
const (
	querySessionShare = `SELECT round(100.0 * sum(CASE WHEN source = 'session-capture' THEN 1 ELSE 0 END) / nullif(count(*), 0), 1) FROM entries WHERE last_recalled_at IS NOT NULL`
	queryThisWeek     = `SELECT count(*) FROM entries WHERE source = 'session-capture' AND created_at > $1`
)

// staleAfter is when a learning counts as stale.
const staleAfter = 60 * 24 * time.Hour

// Stats counts what is stored.
func (s *Store) Stats(ctx context.Context, now time.Time) (Stats, error) {
	st, err := s.stats(ctx, now)
	return st, wrap("count what is stored", s.explained(err))
}

func (s *Store) stats(ctx context.Context, now time.Time) (st Stats, err error) {
	var oldest, newest sql.NullString
	for _, count := range []struct {
		into  any
		query string
		args  []any
	}{
		{&st.Learnings, `SELECT count(*) FROM entries WHERE retired IS NULL`, nil},
		{&st.Retired, `SELECT count(*) FROM entries WHERE retired IS NOT NULL`, nil},
		{&st.Projects, `SELECT count(DISTINCT source_project) FROM entries WHERE retired IS NULL`, nil},
		{&st.Global, `SELECT count(*) FROM entries WHERE source_project IS NULL AND retired IS NULL`, nil},
		{&st.NeverRecalled, `SELECT count(*) FROM entries WHERE last_recalled_at IS NULL AND retired IS NULL`, nil},
		{&st.NeverUsed, `SELECT count(*) FROM entries WHERE last_used_at IS NULL AND retired IS NULL`, nil},
		{&st.Stale, `SELECT count(*) FROM entries WHERE updated_at < $1 AND (last_used_at IS NULL OR last_used_at < $1) AND retired IS NULL`, []any{timeText(now.Add(-staleAfter))}},
		{&st.RecalledFromSessions, querySessionShare, nil},
		{&st.CapturedThisWeek, queryThisWeek, []any{now.UTC().AddDate(0, 0, -7).Format(time.DateOnly)}},
		{&st.Turns, `SELECT count(*) FROM turns`, nil},
		{&st.Sessions, `SELECT count(DISTINCT session) FROM turns`, nil},
		{&st.TurnBytes, `SELECT coalesce(sum(octet_length(text)), 0) FROM turns`, nil},
		{&oldest, `SELECT min(created_at) FROM turns`, nil},
		{&newest, `SELECT max(created_at) FROM turns`, nil},
		{&st.Embeddings, `SELECT count(*) FROM entries e WHERE retired IS NULL AND ` + s.conn.engine.Embedded(), nil},
	} {
		if _, err := s.conn.get(ctx, count.query, count.args, count.into); err != nil {
			return st, err
		}
	}
	st.Pending = st.Learnings - st.Embeddings
	if oldest.Valid {
		first, last := parseTime(oldest), parseTime(newest)
		st.OldestTurn, st.NewestTurn = &first, &last
	}
	for column, counts := range map[string]*map[string]int{"category": &st.Categories, "source": &st.Sources, "confidence": &st.Confidence} {
		*counts = map[string]int{}
		if err := s.conn.Each(ctx, `SELECT `+column+`, count(*) FROM entries WHERE retired IS NULL GROUP BY 1`, nil, func(row Scanner) error {
			var name string
			var n int
			err := row.Scan(&name, &n)
			(*counts)[name] = n
			return err
		}); err != nil {
			return st, err
		}
	}
	st.Bytes, err = s.conn.engine.Bytes(ctx, s.conn)
	return st, err
}
