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

	seq int64
}

// SearchTurns returns the turns that share words with a text, in their own text or that of their
// neighbours, best first. It ignores the category of the query.
func (s *Store) SearchTurns(ctx context.Context, q Query) (hits []TurnHit, err error) {
	all, err := conn{s.db}.searchTurns(ctx, q)
	for _, h := range all {
		if h.Evidence >= q.Evidence && (q.Max == 0 || len(hits) < q.Max) {
			hits = append(hits, h)
		}
	}
	if err == nil {
		err = conn{s.db}.number(ctx, hits)
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

	maxScoredTurns = 200 // the best by the words that they have

	// nearSeqs is how far the numbers of a turn's neighbours are looked for: sessions may run side by side.
	nearSeqs = 8
)

// searchTurns returns the best turns for a text, best first.
func (c conn) searchTurns(ctx context.Context, q Query) (hits []TurnHit, err error) {
	asked, err := c.ask(ctx, "turns", q)
	if err != nil {
		return nil, err
	}
	var rows []turnRow
	err = asked.eachPart(q.Unasked, func(seqs []int64) (enough bool, err error) {
		part, err := c.foundTurns(ctx, q, seqs)
		rows = append(rows, part...)
		return len(rows) >= maxScoredTurns || q.judgedEnough(len(rows)), err
	})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	near, err := c.nearTurns(ctx, rows)
	if err != nil {
		return nil, err
	}
	return judgeTurns(rows, near, asked), nil
}

// foundTurns returns the turns that the query allows.
func (c conn) foundTurns(ctx context.Context, q Query, seqs []int64) (rows []turnRow, err error) {
	p := q.params()
	p["seqs"] = seqs
	err = c.each(ctx, `SELECT `+turnColumns+` FROM turns t WHERE (@everywhere OR t.project = @project) AND t.seq IN (SELECT value FROM json_each(@seqs))`, p,
		func(row *sql.Rows) error {
			t, err := scanTurn(row)
			rows = append(rows, t)
			return err
		})
	return rows, err
}

// nearby has the words around a turn in its session.
type nearby struct {
	words    string // of its neighbours
	question string // words of the turn before, if that asks something
}

// nearTurns returns what is around turns.
func (c conn) nearTurns(ctx context.Context, rows []turnRow) (map[int64]nearby, error) {
	type turn struct {
		seq     int64
		session string
		words   string
		asks    bool
	}
	seqs, distances := make([]int64, len(rows)), make([]int64, 2*nearSeqs+1)
	for i, row := range rows {
		seqs[i] = row.seq
	}
	for i := range distances {
		distances[i] = int64(i) - nearSeqs
	}
	bySession := map[string][]turn{}
	err := c.each(ctx, `SELECT seq, session, words, text LIKE '%?' FROM turns WHERE seq IN
			(SELECT j.value + d.value FROM json_each(@seqs) j, json_each(@distances) d) ORDER BY seq`,
		params{"seqs": seqs, "distances": distances}, func(row *sql.Rows) error {
			var t turn
			err := row.Scan(&t.seq, &t.session, &t.words, &t.asks)
			bySession[t.session] = append(bySession[t.session], t)
			return err
		})
	near := map[int64]nearby{}
	for _, row := range rows {
		session := bySession[row.Session]
		at := slices.IndexFunc(session, func(t turn) bool { return t.seq == row.seq })
		var n nearby
		for i := max(0, at-neighbours); i < min(len(session), at+neighbours+1); i++ {
			t := session[i]
			if i == at || t.seq < row.seq-nearSeqs || t.seq > row.seq+nearSeqs {
				continue
			}
			n.words += " " + t.words
			if i == at-1 && t.asks {
				n.question = t.words
			}
		}
		near[row.seq] = n
	}
	return near, err
}

// judgeTurns scores turns by the words of the question that they and their neighbours have.
func judgeTurns(rows []turnRow, near map[int64]nearby, asked question) []TurnHit {
	hits, counts := make([]TurnHit, len(rows)), make([]counted, len(rows))
	average := 0.0
	for i, row := range rows {
		own, _ := asked.count(&counts[i], row.words, 1)
		beside, _ := asked.count(&counts[i], near[row.seq].words, nearWeight)
		hits[i] = TurnHit{Turn: row.Turn, seq: row.seq}
		hits[i].Evidence, hits[i].Words = asked.evidence(own, beside)
		average += counts[i].length / float64(len(rows))
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
		if question := near[h.seq].question; question != "" {
			has, _ := asked.count(&counted{}, question, 1)
			evidence, _ := asked.evidence(has, 0)
			score += answerWeight * best * evidence
		}
		h.Score = score + sessionWeight*ofSession[h.Session]
	}
	slices.SortStableFunc(hits, func(a, b TurnHit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.seq, b.seq)) })
	return hits
}
