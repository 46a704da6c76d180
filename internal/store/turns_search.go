package store

import (
	"cmp"
	"context"
	"database/sql"
	"math"
	"slices"
	"strings"
)

// TurnHit is a turn found by a search.
type TurnHit struct {
	Turn
	Score    float64
	Evidence float64  // as in Hit
	Words    []string // as in Hit

	seq      int64
	stems    string
	near     string // stems of its neighbours
	question string // stems of the turn before, if that asks something
}

// SearchTurns returns the turns that share words with a text, in their own text or that of their
// neighbours, best first. It ignores the category and the evidence of the query.
func (s *Store) SearchTurns(ctx context.Context, q Query) (hits []TurnHit, err error) {
	all, err := s.conn.searchTurns(ctx, q)
	seen := map[string]bool{}
	for _, h := range all {
		if len(h.Words) > 0 && (q.Max == 0 || len(hits) < q.Max) && !(q.OnePerSession && seen[h.Session]) {
			hits, seen[h.Session] = append(hits, h), true
		}
	}
	if err == nil {
		err = s.conn.number(ctx, hits)
	}
	return hits, s.wrap("search the store", err)
}

// The weights of what, beside its words, raises the score of a turn. Chosen on two or three of five
// conversations and judged on the others, they bring 0.730 of the answers to 786 questions among the
// first five and 0.795 among the first ten; without them it is 0.675 and 0.752.
const (
	nearWeight    = 0.4 // of a neighbour's word, as a share of its own
	speakerWeight = 1.8 // multiplies if the question names the speaker
	// The score grows with the length of the turn, which says more, up to a length.
	lengthPower                    = 0.3
	minLengthBytes, maxLengthBytes = 30, 300

	// Added, as shares of the best score: the evidence for the question that the turn follows, and the
	// best score of the session, as a share of the best of all.
	answerWeight  = 0.6
	sessionWeight = 0.7

	maxScoredTurns = 100 // the best by the words that they have, beside their neighbours
)

// searchTurns returns the best turns for a text, best first.
func (c conn) searchTurns(ctx context.Context, q Query) (hits []TurnHit, err error) {
	asked, err := c.ask(ctx, "turns", q)
	if err != nil {
		return nil, err
	}
	hits, err = c.foundTurns(ctx, q, asked.candidates())
	judgeTurns(hits, asked)
	return hits, err
}

// neighbours is how many turns before and after one count for it: a question often has the words of the
// turn before the answer.
const neighbours = 2

// foundTurns returns the first turns that the query allows, and their neighbours.
func (c conn) foundTurns(ctx context.Context, q Query, seqs []int64) (hits []TurnHit, err error) {
	p := q.params()
	p["seqs"], p["near"], p["max"] = seqs, neighbours, maxScoredTurns
	err = c.each(ctx, `SELECT `+turnColumns+`, t.seq, t.words,
			(SELECT group_concat(words, ' ') FROM (SELECT words FROM turns n WHERE n.session = t.session AND n.seq < t.seq ORDER BY n.seq DESC LIMIT @near)),
			(SELECT group_concat(words, ' ') FROM (SELECT words FROM turns n WHERE n.session = t.session AND n.seq > t.seq ORDER BY n.seq LIMIT @near)),
			(SELECT CASE WHEN n.text LIKE '%?' THEN n.words END FROM turns n WHERE n.session = t.session AND n.seq < t.seq ORDER BY n.seq DESC LIMIT 1)
		FROM turns t WHERE (@everywhere OR t.project = @project) AND t.seq IN (
			SELECT n.seq FROM turns f JOIN turns n ON n.session = f.session
				AND n.seq >= coalesce((SELECT seq FROM turns WHERE session = f.session AND seq < f.seq ORDER BY seq DESC LIMIT 1 OFFSET @near - 1), 0)
				AND n.seq <= coalesce((SELECT seq FROM turns WHERE session = f.session AND seq > f.seq ORDER BY seq LIMIT 1 OFFSET @near - 1), 9223372036854775807)
			WHERE f.seq IN (SELECT t.seq FROM json_each(@seqs) j CROSS JOIN turns t ON t.seq = j.value
				WHERE @everywhere OR t.project = @project ORDER BY j.key LIMIT @max))`, p,
		func(row *sql.Rows) error {
			var before, after, question sql.NullString
			var h TurnHit
			h.Turn, err = scanTurn(row, &h.seq, &h.stems, &before, &after, &question)
			h.near, h.question = before.String+" "+after.String, question.String
			hits = append(hits, h)
			return err
		})
	return hits, err
}

// judgeTurns scores and sorts turns by the words of the question that they and their neighbours have.
func judgeTurns(hits []TurnHit, asked question) {
	counts := make([]counted, len(hits))
	average := 0.0
	for i := range hits {
		h := &hits[i]
		own, _ := asked.count(&counts[i], h.stems, 1)
		beside, _ := asked.count(&counts[i], h.near, nearWeight)
		h.Evidence, h.Words = asked.evidence(own, beside)
		average += counts[i].length / float64(len(hits))
	}
	best, ofSession := 0.0, map[string]float64{}
	for i := range hits {
		h := &hits[i]
		h.Score = asked.bm25(counts[i], average)
		best, ofSession[h.Session] = max(best, h.Score), max(ofSession[h.Session], h.Score)
	}
	for i := range hits {
		h := &hits[i]
		score := h.Score * math.Pow(float64(min(max(len(h.Text), minLengthBytes), maxLengthBytes))/minLengthBytes, lengthPower)
		if slices.ContainsFunc(asked.terms, func(w term) bool { return w.text == strings.ToLower(h.Role) }) {
			score *= speakerWeight
		}
		has, _ := asked.count(&counted{}, h.question, 1)
		evidence, _ := asked.evidence(has, 0)
		score += answerWeight * best * evidence
		h.Score = score + sessionWeight*ofSession[h.Session]
	}
	slices.SortStableFunc(hits, func(a, b TurnHit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.seq, b.seq)) })
}
