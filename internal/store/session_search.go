package store

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"math"
	"slices"
	"time"
)

// SessionHit is a session found by a search.
type SessionHit struct {
	Session string
	Score   float64 // of all its turns, and of its best turn
	P       float64 // probability that it speaks of what the text is about
	Best    string  // uuid of its best turn
	Began   time.Time

	frequency [maxWords]float64 // of its turns, those that have each word of the text
	length    float64           // words
	together  float64           // score of all its turns: over the words that it shares, by how few sessions have them
	best      float64           // weight of the words of its best turn
	shared    int               // words of the text that it has
}

// A bug is reported in other words than those in which it was decided about: what a whole session shares
// with the report tells more than its best turn. Of 30 reports in other words about 30 sessions among 150
// others, the right one is among the first two for 22. By the best turn, with its gate, 8 were named; by this, 21 are.
const (
	sessionFrequency = 1.2 // k1 of BM25, over the number of turns that have a word
	sessionLength    = 0.6 // b of BM25

	maxSessionRows   = 2000 // turns whose session is looked up, those with the rarest words first
	maxReadSessions  = 12   // of which all turns are read: those with the weightiest words
	maxReadTurns     = 500
	meanSessionTurns = 20 // to estimate the number of sessions
	minSessions      = 50 // that rarity assumes: among three, nothing is rare
)

// SearchSessions returns the sessions whose turns share words with a text, best first. It ignores the
// category of the query; Max counts sessions.
func (s *Store) SearchSessions(ctx context.Context, q Query) (hits []SessionHit, err error) {
	c := s.conn
	asked, err := c.ask(ctx, "turns", q)
	if err != nil {
		return nil, s.wrap("search the store", err)
	}
	names, err := c.candidateSessions(ctx, q, &asked)
	if err == nil && len(names) > 0 {
		hits, err = c.readSessions(ctx, q, asked, names)
	}
	if err != nil {
		return nil, s.wrap("search the store", err)
	}
	judgeSessions(hits, asked)
	if q.Max > 0 {
		hits = hits[:min(len(hits), q.Max)]
	}
	return hits, nil
}

// sessionFilter is the condition for turns that a search of sessions may find.
const sessionFilter = `(@everywhere OR project = @project) AND NOT (session = @except AND created_at >= @since) AND kind NOT IN (SELECT value FROM json_each(@kinds))`

// candidateSessions returns the sessions that have the weightiest words. It sets the rarity of words to
// what few sessions have.
func (c conn) candidateSessions(ctx context.Context, q Query, asked *question) ([]string, error) {
	var seqs []int64
	for i, t := range asked.terms {
		if i > 0 && len(seqs)+len(t.rows) > maxSessionRows {
			break
		}
		seqs = append(seqs, t.rows...)
	}
	p := q.params()
	p["seqs"] = seqs
	sessionOf, sessions := map[int64]string{}, map[string]bool{}
	err := c.each(ctx, `SELECT seq, session FROM turns WHERE seq IN (SELECT value FROM json_each(@seqs)) AND `+sessionFilter, p,
		func(row *sql.Rows) error {
			var seq int64
			var session string
			err := row.Scan(&seq, &session)
			sessionOf[seq], sessions[session] = session, true
			return err
		})
	if err != nil {
		return nil, err
	}
	newest := map[string]int64{}
	for seq, session := range sessionOf {
		newest[session] = max(newest[session], seq)
	}
	all, score := max(asked.rows/meanSessionTurns, float64(len(sessions)), minSessions), map[string]float64{}
	asked.rarest = math.Log(1 + (all-0.5)/1.5)
	for i := range asked.terms {
		t := &asked.terms[i]
		have := map[string]bool{}
		for _, seq := range t.rows {
			if session, found := sessionOf[seq]; found {
				have[session] = true
			}
		}
		t.rarity = 0
		if n := float64(len(have)); n > 0 {
			t.rarity = math.Log(1 + (all-n+0.5)/(n+0.5))
		}
		for session := range have {
			score[session] += t.weight()
		}
	}
	names := slices.Collect(maps.Keys(score))
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(newest[b], newest[a]))
	})
	return names[:min(len(names), maxReadSessions)], nil
}

// readSessions counts the words of sessions, those that are named first before the others if there are too many turns.
func (c conn) readSessions(ctx context.Context, q Query, asked question, names []string) (hits []SessionHit, err error) {
	p := q.params()
	p["sessions"], p["max"] = names, maxReadTurns
	err = c.each(ctx, `SELECT session, uuid, words, created_at FROM json_each(@sessions) j CROSS JOIN turns ON session = j.value WHERE `+sessionFilter+` ORDER BY j.key, seq LIMIT @max`, p,
		func(row *sql.Rows) error {
			var session, uuid, words string
			var at sql.NullString
			if err := row.Scan(&session, &uuid, &words, &at); err != nil {
				return err
			}
			if len(hits) == 0 || hits[len(hits)-1].Session != session {
				hits = append(hits, SessionHit{Session: session, Best: uuid, Began: parseTime(at)})
			}
			h := &hits[len(hits)-1]
			var turn counted
			asked.count(&turn, words, 1)
			h.length += turn.length
			weight := 0.0
			for i, t := range asked.terms {
				if turn.frequency[i] > 0 {
					h.frequency[i]++
					weight += t.weight()
				}
			}
			if weight > h.best {
				h.Best, h.best = uuid, weight
			}
			return nil
		})
	return hits, err
}

// judgeSessions scores and sorts sessions.
func judgeSessions(hits []SessionHit, asked question) {
	mean := 0.0
	for _, h := range hits {
		mean += h.length / float64(len(hits))
	}
	for n := range hits {
		h := &hits[n]
		norm := 1 - sessionLength + sessionLength*h.length/mean
		for i, t := range asked.terms {
			if f := h.frequency[i]; f > 0 && t.rarity > 0 {
				h.together += t.weight() * f * (sessionFrequency + 1) / (f + sessionFrequency*norm)
				h.shared++
			}
		}
		h.Score = h.together + h.best
	}
	slices.SortStableFunc(hits, func(a, b SessionHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), b.Began.Compare(a.Began))
	})
	rest := 0.0 // mean of those behind the two that may be shown
	behind := hits[min(2, len(hits)):min(5, len(hits))]
	for _, h := range behind {
		rest += h.together / float64(len(behind))
	}
	for n := range hits {
		h := &hits[n]
		share := 0.0 // of the text's weight, in the best turn; one word may be chance
		if h.shared > 1 {
			share = h.best / asked.weight
		}
		h.P = sessionP(h.together/asked.rarest, h.together/max(rest, asked.rarest), share)
	}
}

// A session is as likely as not to speak of what a text is about if it has the weight of clearWords of the
// rarest words, or if its best turn has clearShare of the weight of a question; and if it has clearLead
// times the weight of the sessions behind. By that, 55 of 67 questions to 297 sessions of two public sets
// name the right one, and 21 of 30 reports in other words; 30 prompts of other work name .2 sessions.
const (
	clearWords = 4.2
	clearShare = 0.3
	clearLead  = 1.1
)

// sessionP returns the probability that a session speaks of what a text is about. The slopes are rough:
// only whether it is above or below a half is fitted.
func sessionP(words, lead, share float64) float64 {
	z := min(4*(lead-clearLead), max(words-clearWords, 12*(share-clearShare)))
	return 1 / (1 + math.Exp(-z))
}
