package store

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"whence/internal/text"
)

// The time of a search grows with the number of rows that have its words. So only the rarest
// maxWords of a long text count, which find as much as all in a twentieth of the time. Of these the
// rarest are searched for, up to maxRows rows together or rowsShare of all; if these are fewer than
// minWords, common words rank the rows too, and find more only if there are too few. Turns have more
// words, with their neighbours: on 786 questions about conversations 2,000 rows lose two of a hundred
// answers, 4,000 none.
//
// Recall without a question must be fast and only shows turns that share rare words: 250 rows take
// a fifth of the time of 4,000, and keep 295 of 330 right turns and 627 of 769 others.
const (
	maxWords    = 32
	minWords    = 3
	maxRows     = 3000
	maxTurnRows = 4000
	rowsShare   = 0.02

	utmostRows = 20_000 // ranking more takes a server too long

	unaskedRows  = 250
	unaskedShare = 0.005
)

// term is a word of a question.
type term struct {
	text   string
	stem   string  // as the full-text index has it
	count  float64 // 1 + log2 of how often the question has it
	rarity float64 // inverse document frequency
	rows   int     // that have it
	newest []int64 // as in [Holders]
}

// weight returns the score for finding the word.
func (t term) weight() float64 { return t.count * t.rarity }

// maxQueryWords is how many words of a text are looked up: the most frequent.
const maxQueryWords = 1000

// terms returns the distinct words of a text, by stem.
func terms(s string, stemmer text.Stemmer) []term {
	var found []term
	at := map[string]int{}
	for _, word := range text.Terms(s) {
		if strings.Contains(word, "_") {
			continue // its parts follow
		}
		stem := stemmer.Stem(word)
		if len(stem) < 2 {
			continue // à becomes a, which is too short to search for
		}
		if i, known := at[stem]; known {
			found[i].count++
			continue
		}
		at[stem] = len(found)
		found = append(found, term{text: word, stem: stem, count: 1})
	}
	if len(found) > maxQueryWords {
		slices.SortStableFunc(found, func(a, b term) int { return cmp.Compare(b.count, a.count) })
		found = found[:maxQueryWords]
	}
	for i := range found {
		found[i].count = 1 + math.Log2(found[i].count)
	}
	return found
}

// question is a query with its words weighed for one full-text index.
type question struct {
	terms   []term  // that some row has, best first, at most maxWords
	size    Size    // of the table
	asked   int     // number of words, with those that no row has
	weight  float64 // of all these
	rarest  float64 // rarity of a word that one row has
	stemmer text.Stemmer
	begins  [][]string // by first letter: how words begin that have a stem of terms
}

// Stemming a word changes at most the last changedBytes of its stem (probable, probability: probabl).
// A few letters at its beginning exclude most words.
const (
	beginBytes   = 3
	changedBytes = 2
)

// mayHave reports whether a lower-case word may have a stem of the question's terms. Accents may go.
func (q question) mayHave(word []byte) bool {
	for _, c := range word[:min(len(word), beginBytes)] {
		if c < 'a' || c > 'z' {
			return true
		}
	}
	for _, begin := range q.begins[word[0]] {
		if len(word) >= len(begin) && string(word[:len(begin)]) == begin {
			return true
		}
	}
	return false
}

// searched returns the words to search for: the best, and those that maxRows rows have together; and
// common ones that make up minWords.
func (q question) searched(maxRows int) (find, common []term) {
	for _, t := range q.terms {
		switch {
		case maxRows >= t.rows || len(find) == 0:
			find = append(find, t)
			maxRows -= t.rows
		case len(find)+len(common) < minWords:
			common = append(common, t)
		}
	}
	return find, common[:max(0, min(len(common), minWords-len(find)))]
}

// rows returns how many rows may be searched: a number or a share of all, whichever is more.
func (q Query) rows(asked question, number int) int {
	share := rowsShare
	if q.Unasked {
		number, share = unaskedRows, unaskedShare
	}
	return max(number, min(int(share*float64(asked.size.Rows)), utmostRows))
}

// weigh looks up how rare the words are in a full-text index.
func (c Conn) weigh(ctx context.Context, table Table, text string) (q question, err error) {
	q.stemmer = map[string]string{}
	asked := terms(text, q.stemmer)
	if err := c.indexChanged(ctx); err != nil {
		return q, err
	}
	found, size, err := c.engine.Words(ctx, c, table, question{}.words(asked))
	if err != nil {
		return q, err
	}
	rows := float64(size.Rows)
	rarity := func(n float64) float64 { return math.Log(1 + (max(rows, n)-n+0.5)/(n+0.5)) }
	q.rarest, q.size, q.asked = rarity(1), size, len(asked)
	for _, t := range asked {
		n := found[t.stem].Rows
		t.rarity = min(rarity(n), q.rarest) // in a small store, a word that no row has would count double
		q.weight += t.weight()
		if n > 0 {
			t.rows, t.newest = int(n), found[t.stem].Newest
			q.terms = append(q.terms, t)
		}
	}
	slices.SortStableFunc(q.terms, func(a, b term) int { return cmp.Compare(b.weight(), a.weight()) })
	q.terms = q.terms[:min(len(q.terms), maxWords)]
	q.begins = make([][]string, 'z'+1)
	for _, t := range q.terms {
		if first := t.stem[0]; 'a' <= first && first <= 'z' {
			q.begins[first] = append(q.begins[first], t.stem[:min(beginBytes, max(1, len(t.stem)-changedBytes))])
		}
	}
	return q, nil
}

// words returns terms for the database, with their rarity.
func (q question) words(terms []term) []Word {
	words := make([]Word, len(terms))
	for i, t := range terms {
		rows := float64(max(q.size.Rows, t.rows)) // others may have written between counting both
		words[i] = Word{t.text, t.stem, max(math.Log((rows-float64(t.rows)+0.5)/(float64(t.rows)+0.5)), minRarity), t.rows, t.newest}
	}
	return words
}

// minRarity is the rarity that SQLite's BM25 gives to words that at least half of the rows have.
const minRarity = 1e-6
