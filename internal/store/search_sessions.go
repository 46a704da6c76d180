package store

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"

	"whence/internal/rank"
)

// SessionHit is a session found by a search.
type SessionHit struct {
	rank.Session
	ID    string
	Best  string // uuid of its best turn
	Began time.Time
}

const (
	maxSessionRows  = 2000 // turns whose session is looked up: those with the weightiest words
	maxReadSessions = 12   // whose turns are read: those with the weightiest words
	maxReadTurns    = 500
)

// SearchSessions returns the sessions whose turns share words with a text, best first. It ignores the
// category of the query; Max counts sessions.
func (s *Store) SearchSessions(ctx context.Context, q Query) (hits []SessionHit, err error) {
	c := s.conn
	asked, err := c.ask(ctx, "turns", q)
	if err != nil || len(asked.Terms) == 0 {
		return nil, s.wrap("search the store", err)
	}
	names, asked, err := c.candidateSessions(ctx, q, asked)
	if err == nil && len(names) > 0 {
		hits, err = c.readSessions(ctx, q, asked, names)
	}
	if err != nil {
		return nil, s.wrap("search the store", err)
	}
	slices.SortStableFunc(hits, func(a, b SessionHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), b.Began.Compare(a.Began))
	})
	if q.Max > 0 {
		hits = hits[:min(len(hits), q.Max)]
	}
	return hits, nil
}

// sessionFilter is the condition for turns that a search of sessions may find.
const sessionFilter = `(@everywhere OR project = @project) AND NOT (session = @except AND created_at >= @since) AND kind NOT IN (SELECT value FROM json_each(@kinds))`

// candidateSessions returns the sessions that contain the weightiest words, and the question with its words weighed
// anew, by the number of sessions that contain them.
func (c conn) candidateSessions(ctx context.Context, q Query, asked rank.Question) ([]string, rank.Question, error) {
	var seqs []int64
	for i, t := range asked.Terms {
		if i > 0 && len(seqs)+len(t.Rows) > maxSessionRows {
			break
		}
		seqs = append(seqs, t.Rows...)
	}
	p := q.params()
	p["seqs"] = seqs
	sessionOf, newest := map[int64]string{}, map[string]int64{}
	err := c.each(ctx, `SELECT seq, session FROM turns WHERE seq IN (SELECT value FROM json_each(@seqs)) AND `+sessionFilter, p,
		func(row *sql.Rows) error {
			var seq int64
			var session string
			err := row.Scan(&seq, &session)
			sessionOf[seq], newest[session] = session, max(newest[session], seq)
			return err
		})
	if err != nil {
		return nil, asked, err
	}
	have, having := make([]map[string]bool, len(asked.Terms)), make([]int, len(asked.Terms))
	for i, t := range asked.Terms {
		have[i] = map[string]bool{}
		for _, seq := range t.Rows {
			if session, found := sessionOf[seq]; found {
				have[i][session] = true
			}
		}
		having[i] = len(have[i])
	}
	asked = asked.OverSessions(having, len(newest))
	score := map[string]float64{}
	for i, t := range asked.Terms {
		for session := range have[i] {
			score[session] += t.Weight()
		}
	}
	names := slices.Collect(maps.Keys(score))
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(newest[b], newest[a]))
	})
	return names[:min(len(names), maxReadSessions)], asked, nil
}

// readSessions rates sessions by their turns. It reads the sessions in the order of names, up to maxReadTurns turns.
func (c conn) readSessions(ctx context.Context, q Query, asked rank.Question, names []string) (hits []SessionHit, err error) {
	p := q.params()
	p["sessions"], p["max"] = names, maxReadTurns
	var turns []rank.SessionTurns
	err = c.each(ctx, `SELECT session, uuid, words, created_at FROM json_each(@sessions) j CROSS JOIN turns ON session = j.value WHERE `+sessionFilter+` ORDER BY j.key, seq LIMIT @max`, p,
		func(row *sql.Rows) error {
			var session, uuid, words string
			var at sql.NullString
			if err := row.Scan(&session, &uuid, &words, &at); err != nil {
				return err
			}
			if len(hits) == 0 || hits[len(hits)-1].ID != session {
				hits, turns = append(hits, SessionHit{ID: session, Best: uuid, Began: parseTime(at)}), append(turns, rank.SessionTurns{})
			}
			if last := len(hits) - 1; turns[last].Add(asked, words) {
				hits[last].Best = uuid
			}
			return nil
		})
	for i, rated := range asked.Sessions(turns) {
		hits[i].Session = rated
	}
	return hits, err
}
