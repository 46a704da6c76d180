package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Question is a text whose words are weighted by how many rows of the store have them: learnings, turns, sessions or
// commits.
type Question struct {
	Terms []Term // the words that some row has, the weightiest first, at most maxTerms

	asked        int            // number of different words, including those that no row has
	rows         float64        // number of rows in the scope of the question
	weight       float64        // of all words together
	rarest       float64        // rarity of a word that one row has
	indexByStems map[string]int // indexes of Terms
}

// Term is a word of a question.
type Term struct {
	Text  string
	Stem  string  // as in the index
	Count float64 // how often it occurs in the question
	Rows  []int64 // numbers of rows that have it, the newest first; not all if there are many
	Total float64 // number of all rows that have it

	rarity, weight float64
}

// maxTerms bounds the time of a search for a long text: its weightiest words find as much as all.
const maxTerms = 32

// Weight returns the score for finding the word: 1 + log2(Count), times its rarity.
func (t Term) Weight() float64 { return t.weight }

// ofRarity returns the term with a rarity, and the weight that follows from it.
func (t Term) ofRarity(rarity float64) Term {
	t.rarity, t.weight = rarity, (1+math.Log2(t.Count))*rarity
	return t
}

// NewQuestion returns the question of the different words of a text. Rows is the number of rows in its scope.
func NewQuestion(terms []Term, rows float64) Question {
	q := Question{asked: len(terms), rows: rows, rarest: rarityOf(1, rows), indexByStems: map[string]int{}}
	for _, t := range terms {
		t = t.ofRarity(min(rarityOf(t.Total, rows), q.rarest)) // in a small store, a word that no row has would count double
		q.weight += t.Weight()
		if t.Total > 0 {
			q.Terms = append(q.Terms, t)
		}
	}
	slices.SortStableFunc(q.Terms, func(a, b Term) int { return cmp.Compare(b.Weight(), a.Weight()) })
	q.Terms = q.Terms[:min(len(q.Terms), maxTerms)]
	for i, t := range q.Terms {
		q.indexByStems[t.Stem] = i
	}
	return q
}

// rarityOf returns the inverse document frequency of Robertson and Spärck Jones, as in BM25.
func rarityOf(total, rows float64) float64 {
	return math.Log(1 + (max(total, rows)-total+0.5)/(total+0.5))
}

// termSet is a set of terms of a question, one bit for each.
type termSet uint64

// frequencies holds the weighted count of each term of the question in a text, and the number of all its words.
type frequencies struct {
	ofTerm [maxTerms]float64
	all    float64
}

// count adds a line of stems, in which each term counts with a weight. It returns the terms and the number of words in
// the line.
func (q Question) count(f *frequencies, stems string, weight float64) (has termSet, words int) {
	for word := range strings.FieldsSeq(stems) {
		words++
		if i, known := q.indexByStems[word]; known {
			f.ofTerm[i] += weight
			has |= 1 << i
		}
	}
	f.all += float64(words)
	return has, words
}

// bm25 scores a text by its words. Average is the mean number of words in a text.
func (q Question) bm25(f frequencies, average float64, of bm25Parameters) (score float64) {
	norm := 1 - of.length + of.length*f.all/average
	for i, t := range q.Terms {
		if n := f.ofTerm[i]; n > 0 && t.rarity > 0 {
			score += t.Weight() * n * (of.frequency + 1) / (n + of.frequency*norm)
		}
	}
	return score
}
