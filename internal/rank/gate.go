package rank

import (
	"cmp"
	"math"
	"slices"
)

// features lists what the gate knows of a match. The probability that a document applies is a logistic regression
// of the features,
//
//	p = 1 / (1 + exp(-(constant + coefficient · feature + …)))
//
// The coefficients are in gate_coefficients.go, in the same order.
var features = [featureCount]struct {
	name string
	of   func(g *gate, document int) float64
}{
	{"score", func(g *gate, i int) float64 { return math.Log1p(g.total(i)) }},
	{"grams lead", func(g *gate, i int) float64 { return g.grams(i) - g.chance }},
	{"grams share", func(g *gate, i int) float64 { return g.grams(i) / max(1, g.grams(i)+g.chance) }},
	{"grams by words", func(g *gate, i int) float64 { return g.grams(i) * g.logWords }},
	{"phrase share", func(g *gate, i int) float64 { _, share := g.bestPhrase(i); return share }},
	{"coverage", func(g *gate, i int) float64 { return g.coverage(i) }},
	{"best evidence", func(g *gate, _ int) float64 { return g.bestEvidence }},
	{"body", func(g *gate, i int) float64 { return math.Log1p(float64(g.counts[i].bodyLen)) }},
	{"documents", func(g *gate, _ int) float64 { return math.Log(float64(len(g.counts))) }},
	{"no situations", func(g *gate, _ int) float64 { return 1 - min(1, g.situations/manySituations) }},
	{"not English", func(g *gate, _ int) float64 { return g.notEnglish }},
	{"words", func(g *gate, _ int) float64 { return g.logWords }},
	{"words squared", func(g *gate, _ int) float64 { return g.logWords * g.logWords }},
}

const (
	featureCount = 13
	phraseShare  = 4 // the index of "phrase share"
)

// Features holds the values of the features of a match, in the order of FeatureNames.
type Features [featureCount]float64

// FeatureNames returns the names of the features:
//
//	score             logarithm of the score of words, body and grams
//	grams lead        score of the grams above the mean of all documents
//	grams share       score of the grams as a share of itself and that mean, 0 to 1
//	grams by words    score of the grams times the logarithm of the number of words
//	phrase share      share of the best phrase that the text has, 0 to 1
//	coverage          share of the text that the document has, 0 to 1
//	best evidence     evidence of the best candidate: how likely is it that anything applies?
//	body              logarithm of the number of words in the section
//	documents         logarithm of the number of documents
//	no situations     1 without any, 0 with eight or more per document
//	not English       1 for a memory of up to ten documents in another language, less for a larger one, 0 in
//	                  English: words of other languages are split and stemmed less well, so fewer agree
//	words             logarithm of the number of different words of the text
//	words squared     the square of that: few words prove little, and of many some agree by chance
func FeatureNames() (names [featureCount]string) {
	for i, f := range features {
		names[i] = f.name
	}
	return names
}

// coefficients holds the coefficients of the features, in the order of FeatureNames, and the constant.
type coefficients struct {
	perFeature [featureCount]float64
	constant   float64
}

const (
	// candidates is the number of top-ranked documents that the gate judges, and on which it is fitted. With 10
	// or 20, equally many of the decisions that apply are shown.
	candidates = 15

	// manySituations is the number of situations per document from which the feature "no situations" is 0.
	manySituations = 8

	// fewDocuments is the number of documents that their mean score is at least divided by. The mean of fewer says
	// nothing about chance: if two apply, neither is far ahead.
	fewDocuments = 8

	// smallMemory is the number of documents in the memories in other languages on which the gate is fitted.
	smallMemory = 10
)

// gate estimates the probability that a document applies.
type gate struct {
	*ranking
	order        []int     // the documents that share a word with the text, the best first
	relative     []float64 // the score of each document, see Match; 0 for those not in order
	chance       float64   // mean score of the grams of all documents
	bestEvidence float64   // the highest evidence of a candidate
	textRarity   float64   // sum over all words of the text
	logWords     float64   // logarithm of the number of words of the text
}

func newGate(r *ranking) *gate {
	g := &gate{ranking: r, relative: make([]float64, len(r.scores)), logWords: math.Log(float64(len(r.known)))}
	best := 0.0
	for i, s := range r.scores {
		best = max(best, r.total(i))
		if s.words+s.body > 0 {
			g.order = append(g.order, i)
		}
	}
	for _, i := range g.order {
		g.relative[i] = r.total(i) / best
	}
	slices.SortStableFunc(g.order, func(a, b int) int { return cmp.Compare(g.relative[b], g.relative[a]) })
	for i := range g.counts {
		g.chance += g.grams(i) / max(fewDocuments, float64(len(g.counts)))
	}
	for _, i := range g.order[:min(candidates, len(g.order))] {
		g.bestEvidence = max(g.bestEvidence, r.evidence(i))
	}
	for _, rarity := range r.bodyRarity {
		g.textRarity += rarity
	}
	return g
}

func (g *gate) grams(i int) float64 { return g.scores[i].grams }

// coverage returns the share of the text's words that a document has, weighted by their rarity.
func (g *gate) coverage(i int) (share float64) {
	for w, rarity := range g.bodyRarity {
		if g.counts[i].short[w]+g.counts[i].body[w] > 0 {
			share += rarity / g.textRarity
		}
	}
	return share
}

// scoreWeight is the weight of the score in the order of matches, relative to the log-odds of the probability.
// Sorted by the probability alone, recall@3 in make eval is 0.78 and 0.76 with situations, and 0.64 and 0.57
// without. By both it is 0.82 and 0.76, and 0.64 and 0.58.
const scoreWeight = 4

// Sort puts the best matches first, by score and probability. It then raises probabilities where needed, so that
// each match is at least as probable as those after it. It is exported for make eval, which fits gates of its own.
func Sort(matches []Match) {
	key := func(m Match) float64 { return math.Log(m.P/(1-m.P)) + scoreWeight*m.Score }
	slices.SortStableFunc(matches, func(a, b Match) int { return cmp.Compare(key(b), key(a)) })
	for i := len(matches) - 2; i >= 0; i-- {
		matches[i].P = max(matches[i].P, matches[i+1].P)
	}
}

// match returns a document as a match.
func (g *gate) match(document int) Match {
	m := Match{Document: document, Score: g.relative[document]}
	sum := fitted.constant
	for n, f := range features {
		m.Features[n] = f.of(g, document)
		sum += fitted.perFeature[n] * m.Features[n]
	}
	m.P = 1 / (1 + math.Exp(-sum))
	return m
}

// matches returns at most maxMatches documents, the best first.
func (r *ranking) matches(maxMatches int) []Match {
	g := newGate(r)
	matches := make([]Match, min(max(maxMatches, candidates), len(g.order)))
	for n := range matches {
		matches[n] = g.match(g.order[n])
	}
	Sort(matches)
	return matches[:min(maxMatches, len(matches))]
}
