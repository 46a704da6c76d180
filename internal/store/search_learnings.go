package store

import (
	"cmp"
	"context"
	"slices"

	"whence/internal/learning"
)

// Hit is a learning found by a search.
type Hit struct {
	learning.Learning
	Score    float64  `json:"score"` // see rank.Learning, also for the next three
	Evidence float64  `json:"evidence"`
	P        float64  `json:"-"`
	Words    []string `json:"words"`
	Near     bool     `json:"-"` // too little evidence to be an answer, but a rare word of a typed query without one
}

// maxNearHits is the maximum number of hits for a typed query that has no answer.
const maxNearHits = 3

// Search returns the learnings that share words with a text, best first. Finding nothing is not an
// error.
func (s *Store) Search(ctx context.Context, q Query) (hits []Hit, err error) {
	c := s.conn
	asked, err := c.ask(ctx, "entries", q)
	if err != nil || len(asked.Terms) == 0 {
		return nil, s.wrap("search the store", err)
	}
	rows, err := c.foundLearnings(ctx, q, candidates(asked))
	if err != nil {
		return nil, s.wrap("search the store", err)
	}
	stems := make([]string, len(rows))
	for i, row := range rows {
		stems[i] = row.words
	}
	var near []Hit
	for i, r := range asked.Learnings(stems) {
		h := Hit{Learning: rows[i].Learning, Score: r.Score, Evidence: r.Evidence, P: r.P, Words: r.Words}
		isAnswer := r.Evidence >= q.Evidence || q.Typed && r.IsNamed
		if isAnswer && len(r.Words) >= q.MinWords {
			hits = append(hits, h)
		} else if r.HasRareWord {
			h.Near = true
			near = append(near, h)
		}
	}
	if q.Typed && len(hits) == 0 {
		hits, q.Max = near, min(cmp.Or(q.Max, maxNearHits), maxNearHits)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	if q.Max > 0 {
		hits = hits[:min(len(hits), q.Max)]
	}
	return hits, nil
}

// foundLearnings returns those of the rows seqs that the query selects, if it has a Max only the first ones.
func (c conn) foundLearnings(ctx context.Context, q Query, seqs []int64) ([]learningRow, error) {
	p := q.params()
	p["seqs"] = seqs
	if q.Max > 0 {
		p["max"] = max(maxJudged, q.Max)
	}
	return c.learnings(ctx, `WHERE e.seq IN (SELECT e.seq FROM json_each(@seqs) j CROSS JOIN entries e ON e.seq = j.value
		WHERE `+selected+`
		AND (@except = '' OR NOT EXISTS (SELECT 1 FROM observations o WHERE o.entry = e.seq AND o.session = @except AND o.at >= @since))
		ORDER BY j.key LIMIT @max)`, p)
}
