package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Stats are figures about a store.
type Stats struct {
	Learnings  int            `json:"learnings"` // that apply
	Retired    int            `json:"retired"`
	Categories map[string]int `json:"categories"` // of those that apply, as the next two
	Sources    map[string]int `json:"sources"`
	Confidence map[string]int `json:"confidence"`
	Projects   int            `json:"projects"`
	Global     int            `json:"global"`

	NeverRecalled int `json:"never_recalled"` // never put before an agent
	NeverUsed     int `json:"never_used"`     // never found by a search, nor said to have helped
	Stale         int `json:"stale"`          // neither learned again nor used for 60 days
	Contradicting int `json:"contradicting"`  // pairs

	// RecalledFromSessions is the percentage of learnings from sessions among those that
	// were put before an agent (SC-4 of the specification: 40 at most).
	RecalledFromSessions *float64 `json:"recalled_from_sessions_percent"` // nil: none was
	// CapturedThisWeek is how many learnings from sessions the last 7 days brought (SC-5: 3
	// at least).
	CapturedThisWeek int `json:"captured_this_week"`

	Turns      int        `json:"turns"`      // captured pieces of conversation
	Sessions   int        `json:"sessions"`   // that they are of
	TurnBytes  int64      `json:"turn_bytes"` // of their texts
	OldestTurn *time.Time `json:"oldest_turn"`
	NewestTurn *time.Time `json:"newest_turn"`
	Embeddings int        `json:"embeddings"` // learnings with one
	Pending    int        `json:"pending_embeddings"`
	Bytes      int64      `json:"bytes"` // of the file
}

// The queries of the specification, as all databases understand them.
const (
	querySessionShare = `SELECT round(100.0 * sum(CASE WHEN source = 'session-capture' THEN 1 ELSE 0 END) / nullif(count(*), 0), 1) FROM entries WHERE last_recalled_at IS NOT NULL`
	queryThisWeek     = `SELECT count(*) FROM entries WHERE source = 'session-capture' AND created_at > $1`
)

// staleAfter is when a learning counts as stale.
const staleAfter = 60 * 24 * time.Hour

// Stats counts what is in the store.
func (s *Store) Stats(ctx context.Context, now time.Time) (Stats, error) {
	var st Stats
	var oldest, newest sql.NullString
	fail := func(err error) (Stats, error) {
		return Stats{}, fmt.Errorf("count what is stored: %w", s.explained(err))
	}
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
		{&st.Contradicting, `SELECT count(*) FROM links l JOIN entries a ON a.seq = l.entry JOIN entries b ON b.seq = l.contradicts WHERE a.retired IS NULL AND b.retired IS NULL`, nil},
		{&st.RecalledFromSessions, querySessionShare, nil},
		{&st.CapturedThisWeek, queryThisWeek, []any{now.UTC().AddDate(0, 0, -7).Format(time.DateOnly)}},
		{&st.Turns, `SELECT count(*) FROM turns`, nil},
		{&st.Sessions, `SELECT count(DISTINCT session) FROM turns`, nil},
		{&st.TurnBytes, `SELECT coalesce(sum(octet_length(text)), 0) FROM turns`, nil},
		{&oldest, `SELECT min(created_at) FROM turns`, nil},
		{&newest, `SELECT max(created_at) FROM turns`, nil},
	} {
		if err := s.conn.QueryRowContext(ctx, count.query, count.args...).Scan(count.into); err != nil {
			return fail(err)
		}
	}
	if oldest.Valid {
		first, last := parseTime(oldest), parseTime(newest)
		st.OldestTurn, st.NewestTurn = &first, &last
	}
	for _, group := range []struct {
		into   *map[string]int
		column string
	}{{&st.Categories, "category"}, {&st.Sources, "source"}, {&st.Confidence, "confidence"}} {
		counts, err := s.groups(ctx, group.column)
		if err != nil {
			return fail(err)
		}
		*group.into = counts
	}
	var err error
	if st.Embeddings, err = s.engine.Embeddings(ctx, s.conn); err != nil {
		return fail(err)
	}
	st.Pending = st.Learnings - st.Embeddings
	if st.Bytes, err = s.engine.Bytes(ctx, s.conn); err != nil {
		return fail(err)
	}
	return st, nil
}

func (s *Store) groups(ctx context.Context, column string) (map[string]int, error) {
	rows, err := s.conn.QueryContext(ctx, `SELECT `+column+`, count(*) FROM entries WHERE retired IS NULL GROUP BY 1`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	counts := map[string]int{}
	for rows.Next() {
		var name string
		var n int
		if err := rows.Scan(&name, &n); err != nil {
			return nil, err
		}
		counts[name] = n
	}
	return counts, rows.Err()
}
