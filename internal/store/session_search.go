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
	Score   float64  // sum over the words that it shares, by how few sessions have them
	P       float64  // probability that it speaks of what the text is about
	Words   []string // that it shares
	Best    string   // uuid of its best turn
	Began   time.Time
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
func (s *Store) SearchSessions(ctx context.Context, q Query) ([]SessionHit, error) {
	hits, err := conn{s.db}.searchSessions(ctx, q)
	if q.Max > 0 {
		hits = hits[:min(len(hits), q.Max)]
	}
	return hits, s.wrap("search the store", err)
}

func (c conn) searchSessions(ctx context.Context, q Query) ([]SessionHit, error) {
	asked, err := c.ask(ctx, "turns", q)
	if err != nil {
		return nil, err
	}
	names, err := c.candidateSessions(ctx, q, &asked)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	sessions, err := c.readSessions(ctx, q, asked, names)
	if err != nil {
		return nil, err
	}
	return judgeSessions(sessions, asked), nil
}

// sessionFilter is the condition for turns that a search of sessions may find.
const sessionFilter = `(@everywhere OR project = @project) AND NOT (session = @except AND created_at >= @since) AND kind NOT IN (SELECT value FROM json_each(@kinds))`

func (q Query) sessionParams() params {
	p := q.params()
	p["except"], p["since"], p["kinds"] = q.Except, cmp.Or(timeText(q.Since), any("")), append([]string{}, q.NoKinds...)
	return p
}

// candidateSessions returns the sessions that have the weightiest words. It sets the rarity of words to
// what few sessions have.
func (c conn) candidateSessions(ctx context.Context, q Query, asked *question) ([]string, error) {
	seqs, left := map[int64]bool{}, maxSessionRows
	for i, t := range asked.terms {
		if i > 0 && len(t.rows) > left {
			break
		}
		left -= len(t.rows)
		for _, seq := range t.rows {
			seqs[seq] = true
		}
	}
	p := q.sessionParams()
	p["seqs"] = slices.Collect(maps.Keys(seqs))
	sessionOf, sessions := map[int64]string{}, 0.0
	err := c.each(ctx, `SELECT session, group_concat(seq) FROM turns WHERE seq IN (SELECT value FROM json_each(@seqs)) AND `+sessionFilter+` GROUP BY session`, p,
		func(row *sql.Rows) error {
			var session, list string
			if err := row.Scan(&session, &list); err != nil {
				return err
			}
			sessions++
			seqs, err := seqsIn(list)
			for _, seq := range seqs {
				sessionOf[seq] = session
			}
			return err
		})
	if err != nil {
		return nil, err
	}
	all, score := max(asked.rows/meanSessionTurns, sessions, minSessions), map[string]float64{}
	asked.rarest = math.Log(1 + (all-0.5)/1.5)
	for i, t := range asked.terms {
		have := map[string]bool{}
		for _, seq := range t.rows {
			if session, found := sessionOf[seq]; found {
				have[session] = true
			}
		}
		asked.terms[i].rarity = 0
		if n := float64(len(have)); n > 0 {
			asked.terms[i].rarity = math.Log(1 + (max(all, n)-n+0.5)/(n+0.5))
		}
		for session := range have {
			score[session] += asked.terms[i].weight()
		}
	}
	names := slices.Collect(maps.Keys(score))
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b)) })
	return names[:min(len(names), maxReadSessions)], nil
}

// sessionWords has how many turns of a session have each word of the question.
type sessionWords struct {
	session, began string
	frequency      [maxWords]float64
	length         float64 // words
	best           string  // uuid of its best turn
	bestWeight     float64 // of the words of that
}

// readSessions counts the words of sessions.
func (c conn) readSessions(ctx context.Context, q Query, asked question, names []string) ([]*sessionWords, error) {
	p := q.sessionParams()
	p["sessions"], p["max"] = names, maxReadTurns
	bySession := map[string]*sessionWords{}
	err := c.each(ctx, `SELECT session, uuid, words, created_at FROM turns WHERE session IN (SELECT value FROM json_each(@sessions)) AND `+sessionFilter+` ORDER BY session, seq LIMIT @max`, p,
		func(row *sql.Rows) error {
			var session, uuid, words, at string
			if err := row.Scan(&session, &uuid, &words, &at); err != nil {
				return err
			}
			s := bySession[session]
			if s == nil {
				s = &sessionWords{session: session, began: at, best: uuid}
				bySession[session] = s
			}
			var turn counted
			asked.count(&turn, words, 1)
			s.length += turn.length
			weight := 0.0
			for i, t := range asked.terms {
				if turn.frequency[i] > 0 {
					s.frequency[i]++
					weight += t.weight()
				}
			}
			if weight > s.bestWeight {
				s.best, s.bestWeight = uuid, weight
			}
			return nil
		})
	return slices.Collect(maps.Values(bySession)), err
}

// judgeSessions scores sessions.
func judgeSessions(sessions []*sessionWords, asked question) []SessionHit {
	mean := 0.0
	for _, s := range sessions {
		mean += s.length / float64(len(sessions))
	}
	hits, together := make([]SessionHit, len(sessions)), map[string]float64{}
	for n, s := range sessions {
		h := &hits[n]
		h.Session, h.Best, h.Began = s.session, s.best, parseTime(sql.NullString{String: s.began, Valid: true})
		norm := 1 - sessionLength + sessionLength*s.length/mean
		for i, t := range asked.terms {
			if f := s.frequency[i]; f > 0 && t.rarity > 0 {
				together[h.Session] += t.weight() * f * (sessionFrequency + 1) / (f + sessionFrequency*norm)
				h.Words = append(h.Words, t.text)
			}
		}
		h.Score = together[h.Session] + s.bestWeight
	}
	slices.SortFunc(hits, func(a, b SessionHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Session, b.Session))
	})
	rest := 0.0 // mean of those behind the two that may be shown
	behind := hits[min(2, len(hits)):min(5, len(hits))]
	for _, h := range behind {
		rest += together[h.Session] / float64(len(behind))
	}
	for i := range hits {
		h := &hits[i]
		share := 0.0 // of the text's weight, in the best turn
		if len(h.Words) > 1 {
			share = (h.Score - together[h.Session]) / asked.weight
		}
		h.P = sessionP(together[h.Session]/asked.rarest, together[h.Session]/max(rest, asked.rarest), share)
	}
	return hits
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
