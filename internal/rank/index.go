// Package rank estimates which documents apply to a text, by the words that they share. It is pure.
package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/sourcegraph/conc"
	"github.com/sourcegraph/conc/iter"

	"whence/internal/words"
)

// Document is a text that can be recalled.
type Document struct {
	Trigger, Title, Description string
	Situations                  []string
	Body                        string
}

// Match is a document that may apply to a text.
type Match struct {
	Document int     // index
	Score    float64 // of the words, as a share of the best
	P        float64 // probability that it applies, see gate.go
	Features Features
	Change   ChangeFeatures // of RecallChange alone
}

// Index holds documents split into words. Each different word of the short fields, and of the bodies, is looked up once
// per text, however often it occurs. It is safe for use by several goroutines.
type Index struct {
	documents  []indexed
	language   words.Language
	short      vocabulary
	bodies     vocabulary
	situations int // of all documents
}

// vocabulary numbers different words.
type vocabulary struct {
	words  []string // by number
	number map[string]int32
}

// indexed is a document as the numbers of its words.
type indexed struct {
	short []field
	body  []int32
	text  string // the body
}

// field is a trigger, title, description or situation.
type field struct {
	words   []int32
	isTitle bool // a title is not a phrase
}

// What documents usually have; it saves an index from growing step by step.
const (
	wordsPerDocument = 8 // that no document before has
	wordBytes        = 8 // of a word with its space, in short fields
)

// NewIndex splits documents into words.
func NewIndex(documents []Document) *Index {
	x := &Index{documents: make([]indexed, len(documents))}
	var splitting conc.WaitGroup
	splitting.Go(func() { x.language = languageOf(documents) })
	splitting.Go(func() { x.addBodies(documents) })
	splitting.Go(func() { x.addShort(documents) })
	splitting.Wait()
	return x
}

func newVocabulary(documents int) vocabulary {
	return vocabulary{number: make(map[string]int32, wordsPerDocument*documents)}
}

// numberOf returns the number of a word, which may be new.
func (v *vocabulary) numberOf(word []byte) int32 {
	n, isKnown := v.number[string(word)]
	if !isKnown {
		n = int32(len(v.words))
		v.words = append(v.words, string(word))
		v.number[v.words[n]] = n
	}
	return n
}

func (x *Index) addBodies(documents []Document) {
	x.bodies = newVocabulary(len(documents))
	for i, d := range documents {
		body := make([]int32, 0, len(d.Body)/wordBytes)
		words.EachWord(d.Body, func(word []byte) { body = append(body, x.bodies.numberOf(word)) })
		x.documents[i].text, x.documents[i].body = d.Body, body
	}
}

func (x *Index) addShort(documents []Document) {
	x.short = newVocabulary(len(documents))
	for i, d := range documents {
		trigger := map[string]bool{}
		words.EachWord(d.Trigger, func(word []byte) { trigger[string(word)] = true })
		add := func(s string, isTitle bool) {
			f := field{words: make([]int32, 0, len(s)/wordBytes+1), isTitle: isTitle}
			words.EachWord(s, func(word []byte) {
				if !isTitle || !trigger[string(word)] { // most titles repeat the trigger
					f.words = append(f.words, x.short.numberOf(word))
				}
			})
			x.documents[i].short = append(x.documents[i].short, f)
		}
		add(d.Trigger, false)
		add(d.Title, true)
		add(d.Description, false)
		for _, s := range d.Situations {
			add(s, false)
		}
		x.situations += len(d.Situations)
	}
}

// languageOf returns the language of documents: some of them show it.
func languageOf(documents []Document) words.Language {
	var texts []string
	for i := range documents[:min(len(documents), languageDocuments)] {
		d := &documents[i]
		body := strings.ToValidUTF8(d.Body[:min(len(d.Body), languageBytes)], "")
		texts = append(texts, d.Trigger, d.Title, d.Description, body)
	}
	return words.LanguageOf(texts...)
}

// Recall returns the documents that may apply to a text which names none of them: a prompt, a command
// with its error, the beginning of a file. Those that share a word with the text are scored. A score
// is the sum of three parts, with the weights in term_weights.go:
//
//	words    BM25 over the stems of the short fields: trigger, title, description and
//	         situations, which say when a decision applies
//	body     the same over the body of the section
//	grams    BM25 over the three-letter grams of the words of the short fields, a space
//	         on both sides of each word included
//
// Without situations, the body counts for more and the grams for less. Rarity replaces BM25's idf. It
// is how well a word distinguishes documents: 1 for a word that none has, near 0 for one that all have.
//
// Some document always comes first, so the score does not say whether it applies. The gate estimates
// that, for the first candidates in this order: the probability of each, from the features of gate.go.
// The caller decides how much is enough.
//
// An example. Of three entries, one is
//
//	/when retrying a call | Retries | attempts, jitter, upper bound
//	situations: the client hammers the server after a timeout
//
// and the text is "timeouts: our client retries forever". Its words are timeout, client, retri and
// forev, by their stems; "our" is a small word. A word in one of three documents (counted as one
// of 50) has a rarity of ln(1+49.5/1.5)/ln(1+50.5/0.5) = 0.76; forev is in none and has 1. The
// short fields have 12 words, a little more than the mean, so a word that occurs once counts 0.98:
// timeout and client add 0.75 each. Retri occurs twice and adds 1.07. Words are 2.56, grams 16.84, and
// the body has no word of the text. With one situation per document, grams have a weight of 0.2: the
// score is 2.56 + 0.2·16.84 = 5.93.
//
// Recall returns at most maxMatches documents, the best first, see Sort; equal ones keep their order.
func (x *Index) Recall(s string, maxMatches int) []Match {
	r := x.ranking(s)
	if r == nil {
		return nil
	}
	return r.matches(maxMatches)
}

// Nearest returns the documents that have a word of a text, or half of its grams, the best first. The weights are those for
// situations, by which grams count more: words may be misspelt.
func (x *Index) Nearest(s string) (order []int) {
	r := x.ranking(s)
	if r == nil {
		return nil
	}
	for i, score := range r.scores {
		grams := 0
		for _, n := range r.counts[i].grams {
			grams += int(min(n, 1))
		}
		if score.words+score.body > 0 || 2*grams >= len(r.grams) {
			order = append(order, i)
		}
	}
	near := func(i int) float64 {
		return r.scores[i].words + bodyWeight*r.scores[i].body + gramWeight*r.scores[i].grams
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(near(b), near(a)) })
	return order
}

// ranking weighs all documents against a text; nil if there is nothing to weigh.
func (x *Index) ranking(s string) *ranking {
	t := newQuery(s, x.language)
	if len(t.known) == 0 || len(x.documents) == 0 {
		return nil
	}
	var bodies []int32
	var looking conc.WaitGroup
	looking.Go(func() { bodies = x.bodiesInText(t) })
	short, grams := x.shortInText(t)
	looking.Wait()
	all := t.newCounts(len(x.documents))
	iter.ForEachIdx(all, func(i int, n *counts) { x.documents[i].count(n, short, grams, bodies) })
	r := newRanking(t, all, x.situations)
	if x.language != words.English {
		r.notEnglish = math.Sqrt(min(1, smallMemory/float64(len(x.documents))))
	}
	return r
}

// shortWord describes a word of short fields for a recall.
type shortWord struct {
	term                  int32 // or -1
	small                 bool
	grams                 int32 // number of grams
	firstGram, afterGrams int32 // the grams in the text, in a list for all words
}

// shortInText looks up the words of the short fields in a text.
func (x *Index) shortInText(t *query) (found []shortWord, grams []uint16) {
	found = make([]shortWord, len(x.short.words))
	for i, s := range x.short.words {
		w, word := &found[i], []byte(s)
		w.term = t.term(s, x.language)
		w.small = w.term < 0 && x.language.IsSmall(word)
		w.firstGram = int32(len(grams))
		eachGram(word, func(gram uint64) {
			w.grams++
			if n, known := t.grams[gram]; known {
				grams = append(grams, uint16(n))
			}
		})
		w.afterGrams = int32(len(grams))
	}
	return found, grams
}

// bodiesInText looks up the words of the bodies in a text: the term of each, or -1.
func (x *Index) bodiesInText(t *query) (terms []int32) {
	terms = make([]int32, len(x.bodies.words))
	for i, s := range x.bodies.words {
		terms[i] = t.term(s, x.language)
	}
	return terms
}

// term returns which term of a text a word is, or -1.
func (t *query) term(word string, language words.Language) int32 {
	if !t.begin.mayBegin([]byte(word)) { // it needs no stem
		return -1
	}
	if term, shared := t.known[language.Stem(word)]; shared && !language.IsSmall([]byte(word)) {
		return int32(term)
	}
	return -1
}
