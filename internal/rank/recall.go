package rank

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"strings"

	"whence/internal/parallel"
)

// Recall finds the decisions that apply to a text which names none of them: what
// somebody typed, a command with its error, the head of a file. Three things are
// added up, with the weights of weights.go:
//
//	words    BM25 over the stems of the short fields: trigger, title, description and
//	         situations, which say when a decision applies
//	body     the same over the body of the section
//	pieces   BM25 over the three-byte pieces of the words of the short fields, a blank
//	         on both sides of each word included
//
// Where decisions have situations, the body counts for less than the short fields;
// where they have none, for more. Rarity takes the place of BM25's idf. It is how well
// a word tells documents apart: 1 for a word that none has, near 0 for one that all
// have.
//
// That gives an order, and an order always has a first. Whether to speak at all is
// judged by evidence, on the short fields: in the body of some section, every word
// occurs.
//
//	evidence = (words + 0.3 · pieces + best phrase) / sqrt(1.5 + rarities of all words of the text)
//
// where the best phrase is the trigger, the description or the one situation that the
// text agrees with best: the rarities of the words in common, times the square root of
// their share of the phrase. The divisor makes a long text, which touches many words
// by chance, prove more than a short one. What applies to a moment often comes in twos
// and threes, so the first matches share the best evidence of the first three: whole,
// if their lead over chance (the mean score of ranks 6 to 25) is at least 0.7 of the
// first's, and proportionally less below; but one whose own evidence is not half
// enough, as of a section that merely mentions everything, keeps its own. Evidence is
// given as a multiple of the threshold: 1 and more is enough.
//
// An example, which is a test. Of three entries, one is
//
//	/when retrying a call | Retries | attempts, jitter, upper bound
//	situations: the client hammers the server after a timeout
//
// and the text is "timeouts: our client retries forever". Its words are timeout,
// client, retri and forev, by their stems; "our" is too small a word. A word in one of
// three documents (reckoned as one of 50) has a rarity of ln(1+49.5/1.5)/ln(1+50.5/0.5)
// = 0.76; forev is in none and has 1. The short fields hold 12 words, a little more
// than the mean, so a word that stands there once counts 0.98 and not 1: timeout and
// client give 0.75 each. Retri stands there twice, which gives 1.07. Words are 2.57.
// The situation has timeout and client, together 1.52, and three other words, counted
// 0.7 each: the phrase is 1.52·sqrt(1.52/3.62) = 0.99. The pieces come to 16.8.
// Evidence is (2.57 + 0.3·16.8 + 0.99)/sqrt(1.5 + 3·0.76 + 1) = 3.93, which is 1.89
// times the threshold of 2.08: spoken.
//
// The documents are read once for each text, or split into words once for many (index.go).
// Both bring the same counts, and one ranking weighs them.

// Document is what can be recalled.
type Document struct {
	Trigger, Title, Description string
	Situations                  []string
	Body                        string
	Label                       string // is not read, but kept in an Index: what document this is
}

// Match is a document that has something in common with a text.
type Match struct {
	Document int     // index
	Score    float64 // orders the matches
	Evidence float64 // 1 and more: speak; see Recall
	Words    []Word  // what text and document share, the weightiest first
}

// Word is a word of a text that a document has too, in some form.
type Word struct {
	Text  string
	Score float64 // its part of the match's score
}

// Recall ranks the documents for a text and returns the first most of them, the best
// first. Equal ones keep their order.
func Recall(text string, documents []Document, most int) []Match {
	t := newText(text)
	if len(t.terms) == 0 || len(documents) == 0 {
		return nil
	}
	situations := 0
	for i := range documents {
		situations += len(documents[i].Situations)
	}
	return newRanking(t, t.count(documents), situations).matches(most)
}

// matches are the first most documents, the best first.
func (r *ranking) matches(most int) []Match {
	order := make([]int, 0, len(r.scores))
	for i, s := range r.scores {
		if s.words+s.body > 0 {
			order = append(order, i)
		}
	}
	if len(order) == 0 {
		return nil
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.total(b), r.total(a)) })
	matches := make([]Match, max(0, min(most, len(order))))
	own := make([]float64, min(max(len(matches), leaders), len(order))) // evidence of the first
	for n := range own {
		own[n] = r.evidence(order[n]) / threshold
	}
	chance := r.chance(order)
	first := r.total(order[0]) - chance // the lead of the first over chance
	lead := 0.0                         // the evidence of the best-proven of the first
	for _, evidence := range own[:min(len(own), leaders)] {
		lead = max(lead, evidence)
	}
	for n := range matches {
		i, share := order[n], 1.0
		if n > 0 && first > 0 {
			share = min(1, max(0, r.total(i)-chance)/first/fullShare)
		}
		matches[n] = Match{Document: i, Score: r.total(i), Words: r.words(i), Evidence: lead * share}
		if own[n] < leastOwn {
			matches[n].Evidence = min(own[n], matches[n].Evidence)
		}
	}
	return matches
}

// text is what is looked for.
type text struct {
	terms []string       // the different words, by stem, as they stand first
	known map[string]int // stem → index into terms
	begin beginnings     // of the terms
	grams gramTable
}

func newText(s string) *text {
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText/2], "") + "\n" + strings.ToValidUTF8(s[len(s)-maxText/2:], "")
	}
	t := &text{known: map[string]int{}, grams: newGramTable()}
	eachWord(s, func(word []byte) {
		eachGram(word, func(gram uint32) {
			t.grams.add(gram)
		})
		if smallWords.has(word) || len(t.terms) == maxWords {
			return
		}
		stem := stemOf(string(word))
		if _, known := t.known[stem]; !known {
			t.known[stem] = len(t.terms)
			t.terms = append(t.terms, string(word))
			t.begin.addForms(word, stem)
		}
	})
	return t
}

// eachGram calls take for the three-byte pieces of a word with a blank on both sides.
func eachGram(word []byte, take func(gram uint32)) {
	gram := uint32(' ')<<8 | uint32(word[0])
	for _, c := range word[1:] {
		gram = gram<<8&0xffffff | uint32(c)
		take(gram)
	}
	take(gram<<8&0xffffff | ' ')
}

// gramTable numbers up to maxGrams pieces. It is a hash table of fixed size, since it
// is asked for every letter of every situation.
type gramTable struct {
	slots []struct {
		gram uint32 // 0: free; no piece is three zero bytes
		n    int32
	}
	n int
}

const gramSlots = 2048

func newGramTable() gramTable {
	return gramTable{slots: make([]struct {
		gram uint32
		n    int32
	}, gramSlots)}
}

// find is the slot of a piece, or the free one where it would be.
func (t *gramTable) find(gram uint32) int {
	at := gram * 2654435761 >> 21
	for t.slots[at].gram != gram && t.slots[at].gram != 0 {
		at = (at + 1) % gramSlots
	}
	return int(at)
}

func (t *gramTable) add(gram uint32) {
	if at := t.find(gram); t.slots[at].gram == 0 && t.n < maxGrams {
		t.slots[at].gram, t.slots[at].n = gram, int32(t.n)
		t.n++
	}
}

// number is the number of a piece, or -1.
func (t *gramTable) number(gram uint32) int {
	if at := t.find(gram); t.slots[at].gram != 0 {
		return int(t.slots[at].n)
	}
	return -1
}

// counts is what one document shares with the text.
type counts struct {
	short, body       []uint16 // of each term
	grams             []uint8  // of each piece
	phrases           []phrase
	shortLen, bodyLen int // words
	gramLen           int // pieces
}

// phrase is a trigger, description or situation that has words of the text.
type phrase struct {
	shared []int // terms
	others int   // number of words that the text has not
}

// newCounts are those of so many documents, in which nothing is counted yet.
func (t *text) newCounts(documents int) []counts {
	all := make([]counts, documents)
	terms, grams := make([]uint16, 2*documents*len(t.terms)), make([]uint8, documents*t.grams.n)
	for i := range all {
		all[i].short, terms = terms[:len(t.terms)], terms[len(t.terms):]
		all[i].body, terms = terms[:len(t.terms)], terms[len(t.terms):]
		all[i].grams, grams = grams[:t.grams.n], grams[t.grams.n:]
	}
	return all
}

// count reads all documents, on all processors.
func (t *text) count(documents []Document) []counts {
	all := t.newCounts(len(documents))
	workers := min(runtime.GOMAXPROCS(0), len(documents))
	work := make([]func(), workers)
	for n := range work {
		work[n] = func() {
			c := counter{text: t, terms: map[string]int{}}
			for i := n; i < len(documents); i += workers {
				c.count(&all[i], &documents[i])
			}
		}
	}
	parallel.Do(work...)
	return all
}

// counter counts with what it has learned from documents before.
type counter struct {
	*text
	terms map[string]int // word → index into text.terms, or -1
}

// term is the index of a word's term, or -1. Nearly all words begin otherwise than
// the terms, and need no stem.
func (c *counter) term(word []byte) int {
	if !c.begin[beginning(word)] {
		return -1
	}
	if i, known := c.terms[string(word)]; known {
		return i
	}
	w := string(word)
	i := -1
	if at, found := c.text.known[stemOf(w)]; found && !smallWords.has(word) {
		i = at
	}
	c.terms[w] = i
	return i
}

func (c *counter) count(n *counts, d *Document) {
	trigger := map[string]bool{}
	eachWord(d.Trigger, func(word []byte) { trigger[string(word)] = true })
	c.phrase(n, d.Trigger, nil)
	c.phrase(n, d.Title, trigger)
	c.phrase(n, d.Description, nil)
	for _, s := range d.Situations {
		c.phrase(n, s, nil)
	}
	eachWord(d.Body, func(word []byte) { n.addBody(c.term(word)) })
}

// phrase counts a short field. Words that are known already do not count: most titles
// say the trigger once more.
func (c *counter) phrase(n *counts, s string, known map[string]bool) {
	var p phrase
	eachWord(s, func(word []byte) {
		if known[string(word)] {
			return
		}
		eachGram(word, func(gram uint32) {
			n.gramLen++
			if i := c.grams.number(gram); i >= 0 {
				n.addGram(i)
			}
		})
		i := c.term(word)
		n.addShort(&p, i, i < 0 && smallWords.has(word))
	})
	if len(p.shared) > 0 && known == nil {
		n.phrases = append(n.phrases, p)
	}
}

func (n *counts) addGram(i int) {
	if n.grams[i] < math.MaxUint8 {
		n.grams[i]++
	}
}

// addBody counts a word of the body: a term, or -1.
func (n *counts) addBody(i int) {
	n.bodyLen++
	if i >= 0 && n.body[i] < math.MaxUint16 {
		n.body[i]++
	}
}

// addShort counts a word of a short field: a term, or -1, and then maybe a small word.
func (n *counts) addShort(p *phrase, i int, small bool) {
	switch {
	case i >= 0:
		n.short[i] = min(n.short[i], math.MaxUint16-1) + 1
		if !slices.Contains(p.shared, i) {
			p.shared = append(p.shared, i)
		}
	case small:
		return
	default:
		p.others++
	}
	n.shortLen++
}

// ranking is all documents weighed against the text.
type ranking struct {
	*text
	bodyWeight, gramWeight, bodyEvidence float64
	counts                               []counts
	scores                               []score
	shortRarity, bodyRarity              []float64 // of each term
	gramRarity                           []float64
	shortLen, bodyLen, gramLen, mass     float64
}

// score is what a document has in common with the text.
type score struct{ words, body, grams float64 }

func (r *ranking) total(i int) float64 {
	s := r.scores[i]
	return s.words + r.bodyWeight*s.body + r.gramWeight*s.grams
}

func newRanking(t *text, all []counts, situations int) *ranking {
	r := &ranking{text: t, counts: all, scores: make([]score, len(all))}
	r.weigh(situations)
	short, body, grams := make([]int, len(t.terms)), make([]int, len(t.terms)), make([]int, t.grams.n)
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
	parallel.For(len(all), func(i int) {
		n := &all[i]
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

// weigh chooses the weights by how many situations there are.
func (r *ranking) weigh(situations int) {
	share := min(1, float64(situations)/float64(len(r.counts))/enoughSituations)
	r.bodyWeight = bodyWeightBare + share*(bodyWeight-bodyWeightBare)
	r.bodyEvidence = bodyEvidence * (1 - share)
	r.gramWeight = gramWeightBare + share*(gramWeight-gramWeightBare)
}

// rarities turns numbers of documents into rarities, 0 to 1 (Robertson and Spärck
// Jones, as in BM25, scaled to 1 for a word that no document has).
func rarities(in []int, documents int) []float64 {
	total := float64(max(documents, leastDocuments))
	most := math.Log(1 + (total+0.5)/0.5)
	rare := make([]float64, len(in))
	for i, n := range in {
		rare[i] = math.Log(1+(total-float64(n)+0.5)/(float64(n)+0.5)) / most
	}
	return rare
}

// norm is the divisor of the counts of a document by its length.
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

// chance is the mean score of the matches behind the first ones.
func (r *ranking) chance(order []int) float64 {
	if len(order) <= backgroundFrom {
		return 0
	}
	behind := order[backgroundFrom:min(len(order), backgroundFrom+background)]
	sum := 0.0
	for _, i := range behind {
		sum += r.total(i)
	}
	return sum / background // those that do not match at all have 0
}

// evidence is how well a document agrees with the text by its short fields.
func (r *ranking) evidence(i int) float64 {
	best := 0.0
	for _, p := range r.counts[i].phrases {
		shared := 0.0
		for _, w := range p.shared {
			shared += r.shortRarity[w]
		}
		best = max(best, shared*math.Sqrt(shared/(shared+otherRarity*float64(p.others))))
	}
	s := r.scores[i]
	return (s.words + gramEvidence*s.grams + r.bodyEvidence*s.body + phraseWeight*best) / math.Sqrt(textMass+r.mass)
}

// words are the words that a document shares with the text.
func (r *ranking) words(i int) []Word {
	n := &r.counts[i]
	shortNorm, bodyNorm := norm(n.shortLen, r.shortLen), norm(n.bodyLen, r.bodyLen)
	var words []Word
	for w, t := range r.terms {
		score := r.shortRarity[w]*saturate(float64(n.short[w]), shortNorm) + r.bodyWeight*r.bodyRarity[w]*saturate(float64(n.body[w]), bodyNorm)
		if score > 0 {
			words = append(words, Word{t, score})
		}
	}
	slices.SortStableFunc(words, func(a, b Word) int { return cmp.Compare(b.Score, a.Score) })
	return words
}
