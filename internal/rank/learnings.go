package rank

import (
	"math"
	"math/bits"
	"strings"
)

// Learning rates a learning as an answer to a question.
type Learning struct {
	Score    float64  // higher is better; comparable within one question
	Evidence float64  // 0..1: how surely it answers the question, see MinEvidence
	P        float64  // 0..1: the probability that it applies to a text that is not a question
	Words    []string // words of the question that its name, description or reasoning has, the weightiest first

	IsNamed     bool // the question is short and has a word of its name
	HasRareWord bool // it has a rare word of the question
}

// The fields of a learning: each is a line of its stems. The last one has the parts of the identifiers in all fields.
const (
	nameField = iota
	keywordsField
	descriptionField
	reasoningField
	partsField
	learningFields
)

// fieldWeights holds the weights of the fields in the score.
var fieldWeights = [learningFields]float64{nameField: 2, keywordsField: 0.5, descriptionField: 2, reasoningField: 0.7, partsField: 0.5}

// Learnings rates learnings, given the stems of each, one line for each field.
func (q Question) Learnings(stems []string) []Learning {
	rated, counts := make([]Learning, len(stems)), make([]frequencies, len(stems))
	average := 0.0
	for i, fields := range stems {
		var has [learningFields]termSet
		var words [learningFields]int
		for n, line := range strings.SplitN(fields, "\n", learningFields) {
			has[n], words[n] = q.count(&counts[i], line, fieldWeights[n])
		}
		average += counts[i].all / float64(len(stems))
		rated[i] = q.learning(has, words)
	}
	for i := range rated {
		rated[i].Score = q.bm25(counts[i], average, learningBM25)
	}
	return rated
}

// learning rates a learning by the terms and the number of words of its fields. It does not set the score.
func (q Question) learning(has [learningFields]termSet, words [learningFields]int) (l Learning) {
	said := has[nameField] | has[descriptionField]
	l.IsNamed = has[nameField] != 0 && q.asked <= maxNamedWords
	l.Evidence, l.Words = q.evidence(said, has[reasoningField])
	covered := share(has[nameField], words[nameField])/2 + share(said, words[nameField]+words[descriptionField])/2
	l.P = learningP(l.Evidence, covered, len(l.Words), q.asked)
	if words[descriptionField] >= minSaidWords && share(has[descriptionField], words[descriptionField]) == 1 {
		l.P = max(l.P, saidP)
	}
	for i, t := range q.Terms {
		isIn := (said|has[keywordsField]|has[reasoningField]|has[partsField])&(1<<i) != 0
		l.HasRareWord = l.HasRareWord || isIn && t.Total <= max(maxRareRows, rareShare*q.rows)
	}
	return l
}

// evidence returns how surely a text answers the question, from 0 to 1, and the words that show it. It is the
// weight of the question's words that the text has, divided by the geometric mean of the weight of all words and
// that of a word that one row has. A share of all would be too strict with long questions, a sum too lax. Few words
// count less, unless they are all of the question. A word that is only beside the text counts half.
func (q Question) evidence(text, beside termSet) (evidence float64, words []string) {
	found := 0.0
	for i, t := range q.Terms {
		switch {
		case text&(1<<i) != 0:
			found += t.Weight()
		case beside&(1<<i) != 0:
			found += t.Weight() / 2
		default:
			continue
		}
		words = append(words, t.Text)
	}
	if len(words) == 0 {
		return 0, nil
	}
	whole := min(q.weight, manyWords*q.rarest)
	part := min(1, found/math.Sqrt(whole*min(whole, q.rarest)))
	if len(words) == q.asked {
		return part, words
	}
	return part * (1 - math.Exp(-float64(len(words))/fewWords)), words
}

// share returns the number of terms as a share of a number of words; 0 if that is 0.
func share(has termSet, words int) float64 {
	if words == 0 {
		return 0
	}
	return float64(bits.OnesCount64(uint64(has))) / float64(words)
}

// learningP returns the probability that a learning applies to a text. Covered is the share of its own words that the
// text has, words the number of shared words, and asked the number of words of the text.
func learningP(evidence, covered float64, words, asked int) float64 {
	if evidence <= 0 {
		return 0
	}
	of := learningGate
	x := of.constant + of.evidence*math.Log(evidence) + of.covered*math.Log(max(covered, minCovered)) +
		of.words*math.Log(float64(words)) + of.asked*math.Log(float64(asked))
	return 1 / (1 + math.Exp(-x))
}
