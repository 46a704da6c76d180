package store

import "math"

// gate holds the coefficients of a logistic regression that turns what a search knows of a hit into
// the probability that it applies to a text which asks for nothing. All but base multiply the
// natural logarithm of what they name.
type gate struct {
	base     float64
	evidence float64 // see MinEvidence
	covered  float64 // the share of the hit's own words that are in the text
	words    float64 // the number of shared words
	asked    float64 // the number of words of the text
}

// learningGate is fitted on make eval's bank of learnings, alone and among 2,000 others (in
// parentheses), with 85 actions and 240 prompts, failures and actions of unrelated work. Fitted on one
// half and judged on the other, for the first three hits with two words or more:
//
//	         questions answered   right lines   unrelated prompts, failures, actions with a line
//	p ≥ .2      .68 (.64)          .89 (.80)             .08   .17   .16
//	p ≥ .3      .65 (.61)          .94 (.90)             .05   .10   .13
//	p ≥ .5      .54 (.51)         1.00 (.95)             .04   .03   .05
//	p ≥ .7      .43 (.43)         1.00 (1.0)             .02   .00   .01
//
// The share of the best score says nothing.
var learningGate = gate{base: 1.7, evidence: 2.1, covered: 1.15, words: 3.4, asked: -1.95}

// minCovered stands for a coverage of 0: the text has no word of the name and the description.
const minCovered = 0.01

// probability returns the probability, from 0 to 1, that a hit applies.
func (g gate) probability(evidence, covered float64, words, asked int) float64 {
	if evidence <= 0 {
		return 0
	}
	x := g.base + g.evidence*math.Log(evidence) + g.covered*math.Log(max(covered, minCovered)) +
		g.words*math.Log(float64(words)) + g.asked*math.Log(float64(asked))
	return 1 / (1 + math.Exp(-x))
}
