package rank

import (
	"math"

	"github.com/sourcegraph/conc/iter"
)

// ranking weighs all documents against the text.
type ranking struct {
	*query
	bodyWeight, gramWeight, bodyEvidence float64
	counts                               []counts
	scores                               []score
	shortRarity, bodyRarity              []float64 // of each term
	gramRarity                           []float64
	shortLen, bodyLen, gramLen, mass     float64
	situations                           float64 // per document
	notEnglish                           float64 // see gate.go
}

// score rates the words that a document shares with the text.
type score struct{ words, body, grams float64 }

func (r *ranking) total(i int) float64 {
	s := r.scores[i]
	return s.words + r.bodyWeight*s.body + r.gramWeight*s.grams
}

func newRanking(t *query, all []counts, situations int) *ranking {
	r := &ranking{query: t, counts: all, scores: make([]score, len(all)), situations: float64(situations) / float64(len(all))}
	r.weigh()
	short, body, grams := make([]int, len(t.known)), make([]int, len(t.known)), make([]int, len(t.grams))
	for _, n := range all {
		for i := range n.short {
			short[i] += int(min(n.short[i], 1))
			body[i] += int(min(n.body[i], 1))
		}
		for i, g := range n.grams {
			grams[i] += int(min(g, 1))
		}
		r.shortLen += float64(n.shortLen) / float64(len(all))
		r.bodyLen += float64(n.bodyLen) / float64(len(all))
		r.gramLen += float64(n.gramLen) / float64(len(all))
	}
	r.shortRarity, r.bodyRarity, r.gramRarity = rarities(short, len(all)), rarities(body, len(all)), rarities(grams, len(all))
	for _, rarity := range r.shortRarity {
		r.mass += rarity
	}
	iter.ForEachIdx(all, func(i int, n *counts) {
		s := &r.scores[i]
		shortNorm, bodyNorm, gramNorm := norm(n.shortLen, r.shortLen), norm(n.bodyLen, r.bodyLen), norm(n.gramLen, r.gramLen)
		for w := range n.short {
			s.words += r.shortRarity[w] * saturate(float64(n.short[w]), shortNorm)
			s.body += r.bodyRarity[w] * saturate(float64(n.body[w]), bodyNorm)
		}
		for g, count := range n.grams {
			s.grams += r.gramRarity[g] * saturate(float64(count), gramNorm)
		}
	})
	return r
}

// weigh chooses the weights by the number of situations.
func (r *ranking) weigh() {
	share := min(1, r.situations/enoughSituations)
	r.bodyWeight = bodyWeightBare + share*(bodyWeight-bodyWeightBare)
	r.bodyEvidence = bodyEvidence * (1 - share)
	r.gramWeight = gramWeightBare + share*(gramWeight-gramWeightBare)
}

// rarities returns the rarity, from 0 to 1, of words by the number of documents in which each occurs. It is the
// formula of Robertson and Spärck Jones, as in BM25, scaled to 1 for a word that no document has.
func rarities(occurrences []int, documents int) []float64 {
	total := float64(max(documents, minDocuments))
	maxRarity := math.Log(1 + (total+0.5)/0.5)
	rarities := make([]float64, len(occurrences))
	for i, n := range occurrences {
		rarities[i] = math.Log(1+(total-float64(n)+0.5)/(float64(n)+0.5)) / maxRarity
	}
	return rarities
}

// norm returns the number by which the counts of a document of some length are divided.
func norm(length int, mean float64) float64 {
	if mean == 0 {
		return 1
	}
	return 1 - lengthNorm + lengthNorm*float64(length)/mean
}

func saturate(count, norm float64) float64 {
	if count == 0 {
		return 0
	}
	count /= norm
	return count * (saturation + 1) / (count + saturation)
}

// evidence returns how well a document agrees with the text: its short fields and, the fewer situations there are,
// its body. Since a long text shares many words by chance, the result is divided by the weight of the text.
func (r *ranking) evidence(i int) float64 {
	s := r.scores[i]
	phrase, _ := r.bestPhrase(i)
	return (s.words + gramEvidence*s.grams + r.bodyEvidence*s.body + phrase) / math.Sqrt(textMass+r.mass)
}

// bestPhrase returns how well the best phrase of a document agrees with the text, and the share of that phrase that
// the text has.
func (r *ranking) bestPhrase(i int) (score, share float64) {
	for _, p := range r.counts[i].phrases {
		shared := 0.0
		for _, w := range p.shared {
			shared += r.shortRarity[w]
		}
		part := shared / (shared + otherRarity*float64(p.others))
		if s := shared * math.Sqrt(part); s > score {
			score, share = s, part
		}
	}
	return score, share
}
