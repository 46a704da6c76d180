package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"
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
// The documents are read once for each text (scan.go), or once for many (index.go). Both
// ways bring the same counts, and one ranking weighs them.

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
	return newRanking(t, t.scan(documents)).matches(most)
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

// shares is what documents have in common with a text. Of each term and each piece it
// lists the documents that have it, in order.
type shares struct {
	lengths             []lengths // of each document
	situations          int       // of all documents
	short, body, pieces [][]posting
	phrases             func(document int) []phrase
}

// lengths are those of one document: words of the short fields and of the body, pieces.
type lengths struct{ short, body, grams int }

// posting tells how often a document has a term or a piece.
type posting struct {
	document int32
	count    uint16
}

// in is how often a document has the term or piece of a list.
func in(list []posting, document int) uint16 {
	at, found := slices.BinarySearchFunc(list, document, func(p posting, document int) int { return cmp.Compare(int(p.document), document) })
	if !found {
		return 0
	}
	return list[at].count
}

// phrase is a trigger, description or situation that has words of the text.
type phrase struct {
	shared []int // terms
	others int   // number of words that the text has not
}

// ranking is all documents weighed against the text.
type ranking struct {
	*text
	shares
	bodyWeight, gramWeight, bodyEvidence float64
	scores                               []score
	norms                                []norms
	shortRarity, bodyRarity              []float64 // of each term
	mass                                 float64
}

// score is what a document has in common with the text.
type score struct{ words, body, grams float64 }

func (r *ranking) total(i int) float64 {
	s := r.scores[i]
	return s.words + r.bodyWeight*s.body + r.gramWeight*s.grams
}

// norms are the divisors of the counts of a document.
type norms struct{ short, body, grams float64 }

func newRanking(t *text, common shares) *ranking {
	documents := len(common.lengths)
	r := &ranking{text: t, shares: common, scores: make([]score, documents), norms: make([]norms, documents)}
	r.weigh()
	var short, body, grams float64 // the mean lengths
	for _, n := range r.lengths {
		short += float64(n.short) / float64(documents)
		body += float64(n.body) / float64(documents)
		grams += float64(n.grams) / float64(documents)
	}
	for i, n := range r.lengths {
		r.norms[i] = norms{norm(n.short, short), norm(n.body, body), norm(n.grams, grams)}
	}
	r.shortRarity, r.bodyRarity = rarities(r.short, documents), rarities(r.body, documents)
	for _, rarity := range r.shortRarity {
		r.mass += rarity
	}
	for w, rarity := range r.shortRarity {
		for _, p := range r.short[w] {
			r.scores[p.document].words += rarity * saturate(float64(p.count), r.norms[p.document].short)
		}
	}
	for w, rarity := range r.bodyRarity {
		for _, p := range r.body[w] {
			r.scores[p.document].body += rarity * saturate(float64(p.count), r.norms[p.document].body)
		}
	}
	for g, rarity := range rarities(r.pieces, documents) {
		for _, p := range r.pieces[g] {
			r.scores[p.document].grams += rarity * saturate(float64(p.count), r.norms[p.document].grams)
		}
	}
	return r
}

// weigh chooses the weights by how many situations there are.
func (r *ranking) weigh() {
	share := min(1, float64(r.situations)/float64(len(r.lengths))/enoughSituations)
	r.bodyWeight = bodyWeightBare + share*(bodyWeight-bodyWeightBare)
	r.bodyEvidence = bodyEvidence * (1 - share)
	r.gramWeight = gramWeightBare + share*(gramWeight-gramWeightBare)
}

// rarities turns numbers of documents into rarities, 0 to 1 (Robertson and Spärck
// Jones, as in BM25, scaled to 1 for a word that no document has).
func rarities(in [][]posting, documents int) []float64 {
	total := float64(max(documents, leastDocuments))
	most := math.Log(1 + (total+0.5)/0.5)
	rare := make([]float64, len(in))
	for i, list := range in {
		n := float64(len(list))
		rare[i] = math.Log(1+(total-n+0.5)/(n+0.5)) / most
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
	for _, p := range r.phrases(i) {
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
	var words []Word
	for w, t := range r.terms {
		score := r.shortRarity[w]*saturate(float64(in(r.short[w], i)), r.norms[i].short) + r.bodyWeight*r.bodyRarity[w]*saturate(float64(in(r.body[w], i)), r.norms[i].body)
		if score > 0 {
			words = append(words, Word{t, score})
		}
	}
	slices.SortStableFunc(words, func(a, b Word) int { return cmp.Compare(b.Score, a.Score) })
	return words
}
