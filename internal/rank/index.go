// Package rank estimates which documents apply to a text, by the words that they share. It does no I/O.
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
	Score    float64 // as a share of the best score
	P        float64 // probability that it applies, see gate.go
	Features Features
	Change   ChangeFeatures // set only by RecallChange
}

// Index holds documents split into words. Each different word of the short fields, and of the bodies, is looked up once
// per text, however often it occurs. An Index is safe for concurrent use.
type Index struct {
	documents  []indexed
	language   words.Language
	short      vocabulary
	bodies     vocabulary
	situations int // of all documents
}

// vocabulary gives each different word a number.
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
	isTitle bool // a title does not count as a phrase
}

// Typical sizes, used to allocate an index in one step.
const (
	wordsPerDocument = 8 // words that no earlier document has
	wordBytes        = 8 // bytes of a word and the space after it
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

// numberOf returns the number of a word, and adds the word if it is new.
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

// languageOf returns the language of documents, judged by the beginnings of the first ones.
func languageOf(documents []Document) words.Language {
	var texts []string
	for i := range documents[:min(len(documents), languageDocuments)] {
		d := &documents[i]
		body := strings.ToValidUTF8(d.Body[:min(len(d.Body), languageBytes)], "")
		texts = append(texts, d.Trigger, d.Title, d.Description, body)
	}
	return words.LanguageOf(texts...)
}

// Recall returns the documents that may apply to a text that names none of them: a prompt, a command with its
// error, the beginning of a file. It scores those that share a word with the text. A score is the sum of three
// parts, with the weights in term_weights.go:
//
//	words    BM25 over the stems of the short fields: trigger, title, description and
//	         situations, which say when a decision applies
//	body     the same over the body of the section
//	grams    BM25 over the three-letter grams of the words of the short fields, a space
//	         on both sides of each word included
//
// Without situations, the body counts for more and the grams for less. Rarity replaces BM25's idf. It measures
// how well a word distinguishes documents: 1 for a word that none has, near 0 for one that all have.
//
// Some document always comes first, so the score does not say whether it applies. For the top candidates, the gate
// estimates the probability that each applies, from the features of gate.go. The caller chooses a threshold.
//
// An example. Of three entries, one is
//
//	/when retrying a call | Retries | attempts, jitter, upper bound
//	situations: the client hammers the server after a timeout
//
// and the text is "timeouts: our client retries forever". The stems of its words are timeout, client, retri and
// forev; "our" is a small word. A word in one of three documents (counted as one of 50) has a rarity of
// ln(1+49.5/1.5)/ln(1+50.5/0.5) = 0.76; forev is in none and has 1. The short fields have 12 words, a little more
// than the mean, so a word that occurs once counts 0.98: timeout and client add 0.75 each. Retri occurs twice and
// adds 1.07. That makes 2.56 for the words and 16.84 for the grams; the body has no word of the text. With one
// situation per document, grams have a weight of 0.2: the score is 2.56 + 0.2·16.84 = 5.93.
//
// Recall returns at most maxMatches documents, the best first (see Sort). Equal ones keep their order.
func (x *Index) Recall(s string, maxMatches int) []Match {
	r := x.ranking(s)
	if r == nil {
		return nil
	}
	return r.matches(maxMatches)
}

// Nearest returns the indexes of the documents that have a word of a text, or half of its grams, the best first. Since
// words may be misspelt, it uses the weights for documents with situations, where grams count more.
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

// ranking weighs all documents against a text. It returns nil without documents or words of the text.
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
	term                  int32 // of the text, or -1
	small                 bool
	grams                 int32 // number of grams
	firstGram, afterGrams int32 // where the grams that the text also has are in the list for all words
}

// shortInText looks up the words of the short fields in a text. It returns a description of each word, and the grams
// that they share with the text.
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

// bodiesInText looks up the words of the bodies in a text. It returns the term for each, or -1.
func (x *Index) bodiesInText(t *query) (terms []int32) {
	terms = make([]int32, len(x.bodies.words))
	for i, s := range x.bodies.words {
		terms[i] = t.term(s, x.language)
	}
	return terms
}

// term returns the number of the term of the text that a word is a form of, or -1.
func (t *query) term(word string, language words.Language) int32 {
	if !t.begin.mayBegin([]byte(word)) { // saves stemming it
		return -1
	}
	if term, shared := t.known[language.Stem(word)]; shared && !language.IsSmall([]byte(word)) {
		return int32(term)
	}
	return -1
}
