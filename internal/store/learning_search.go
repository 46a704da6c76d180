package store

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"whence/internal/learning"
)

// Hit is a learning found by a search.
type Hit struct {
	learning.Learning
	Score    float64  `json:"score"`    // higher is better; comparable within one search
	Evidence float64  `json:"evidence"` // 0..1, see MinEvidence
	P        float64  `json:"-"`        // 0..1: the probability that it applies
	Words    []string `json:"words"`    // of the query that it has, rarest first
	Near     bool     `json:"-"`        // it has too little evidence to be an answer, and a rare word of a typed query that has none

	named       bool // a query of maxNamedWords or fewer has a word of its name
	hasRareWord bool
}

// maxNearHits is how many hits are returned for a typed query that has no answer.
const maxNearHits = 3

// Search returns the learnings that share words with a text, best first. Finding nothing is not an
// error.
func (s *Store) Search(ctx context.Context, q Query) (hits []Hit, err error) {
	c := s.conn
	asked, err := c.ask(ctx, "entries", q)
	if err != nil {
		return nil, s.wrap("search the store", err)
	}
	rows, err := c.foundLearnings(ctx, q, asked.candidates())
	if err != nil {
		return nil, s.wrap("search the store", err)
	}
	var near []Hit
	for _, h := range judgeLearnings(rows, asked) {
		isAnswer := h.Evidence >= q.Evidence || q.Typed && h.named
		if isAnswer && len(h.Words) >= q.MinWords {
			hits = append(hits, h)
		} else if h.hasRareWord {
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

// foundLearnings returns the first rows that the query allows.
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

// maxNamedWords is the length of a typed query that one word of a name answers. Longer ones have words
// of names by chance.
const maxNamedWords = 2

// A text that has all words of a description says the same, however long the text is.
const (
	minSaidWords = 3
	saidP        = 0.5
)

// judgeLearnings scores learnings by the words of the question that they have.
func judgeLearnings(rows []learningRow, asked question) (hits []Hit) {
	weights := [...]float64{2, 0.5, 2, 0.7, 0.5} // of name, keywords, description, reasoning, parts
	counts := make([]counted, len(rows))
	average := 0.0
	for i, row := range rows {
		h := Hit{Learning: row.Learning}
		var has [5]wordSet
		var words [5]int
		for n, line := range strings.SplitN(row.words, "\n", len(weights)) {
			has[n], words[n] = asked.count(&counts[i], line, weights[n])
		}
		name, description, reasoning := 0, 2, 3
		h.named = has[name] != 0 && asked.asked <= maxNamedWords
		covered := share(has[name], words[name])/2 + share(has[name]|has[description], words[name]+words[description])/2
		h.Evidence, h.Words = asked.evidence(has[name]|has[description], has[reasoning])
		h.P = probability(h.Evidence, covered, len(h.Words), asked.asked)
		if words[description] >= minSaidWords && share(has[description], words[description]) == 1 {
			h.P = max(h.P, saidP)
		}
		h.hasRareWord = asked.hasRare(has[0] | has[1] | has[2] | has[3] | has[4])
		average += counts[i].length / float64(len(rows))
		hits = append(hits, h)
	}
	for i := range hits {
		hits[i].Score = asked.bm25(counts[i], average)
	}
	return hits
}

// minCovered replaces a coverage of 0, which has no logarithm: the text shares no word with the learning.
const minCovered = 0.01

// probability returns the probability that a hit applies to a text which asks for nothing, from its evidence,
// the share of its own words that are in the text, the number of shared words, and of those of the text. It
// is a logistic regression, fitted on make eval's bank of learnings, alone and among 2,000 others (in
// parentheses), with 85 actions and 240 prompts, failures and actions of unrelated work. Fitted on one
// half and judged on the other, for the first three hits with two words or more:
//
//	         questions answered   right lines   unrelated prompts, failures, actions with a line
//	p ≥ .2      .68 (.64)          .89 (.80)             .08   .17   .16
//	p ≥ .3      .65 (.61)          .94 (.90)             .05   .10   .13
//	p ≥ .5      .54 (.51)         1.00 (.95)             .04   .03   .05
//	p ≥ .7      .43 (.43)         1.00 (1.0)             .02   .00   .01
func probability(evidence, covered float64, words, asked int) float64 {
	if evidence <= 0 {
		return 0
	}
	x := 1.7 + 2.1*math.Log(evidence) + 1.15*math.Log(max(covered, minCovered)) +
		3.4*math.Log(float64(words)) - 1.95*math.Log(float64(asked))
	return 1 / (1 + math.Exp(-x))
}
