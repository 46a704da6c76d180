package store

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"whence/internal/text"
)

// The time of a search grows with the number of rows that hold its words. The rarest
// 32 of a long text find as much as all of them, in a twentieth of the time; and of these,
// the rarest are searched for, up to so many rows together, or this share of all rows. If
// these are fewer than minWords, commoner ones rank the rows too, and find some only where
// there are too few. All 32 say how well a row answers. A turn has more words than a learning,
// with those beside it: on 786 questions about conversations, 2,000
// rows lose two of a hundred answers, and 4,000 none.
//
// Recall without a query must be fast, and only shows turns that share rare words:
// 250 rows take a fifth of the time of 4,000, and of what would be shown in answer to these
// 786 questions 295 of 330 right turns are left, and 627 of 769 others.
const (
	maxWords    = 32
	minWords    = 3
	maxRows     = 3000
	maxTurnRows = 4000
	rowsShare   = 0.02

	utmostRows = 20_000 // whatever the share: ranking more takes a server too long

	unaskedRows  = 250
	unaskedShare = 0.005
)

// term is a word of a question.
type term struct {
	text   string
	stem   string  // as the full-text index has it
	count  float64 // 1 + log2 of how often it was asked for
	rarity float64 // as BM25 has it
	rows   int     // that hold it
}

// weight is the score for finding the word.
func (t term) weight() float64 { return t.count * t.rarity }

// maxQueryWords is how many words of a text are looked at: those that it has most often, the
// first first. SQLite takes no more than some thousand arguments.
const maxQueryWords = 1000

// terms are the distinct words of a text, by stem.
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

// question is a query, weighed in one full-text index.
type question struct {
	terms   []term  // that some row holds, best first, at most maxWords
	size    Size    // of the table
	asked   int     // words, with those that no row holds
	weight  float64 // of all these
	rarest  float64 // rarity of a word that one row holds
	stemmer text.Stemmer
}

// searched returns the words to search for: those that about so many rows hold together, at
// least the best, and then more to make minWords of them.
func (q question) searched(most int) (find, more []term) {
	for _, t := range q.terms {
		switch {
		case most >= t.rows || len(find) == 0:
			find = append(find, t)
			most -= t.rows
		case len(find)+len(more) < minWords:
			more = append(more, t)
		}
	}
	return find, more[:max(0, min(len(more), minWords-len(find)))]
}

// rows is how many rows may be searched: so many, or a share of all.
func (q Query) rows(asked question, most int, share float64) int {
	if q.Unasked {
		most, share = unaskedRows, unaskedShare
	}
	return max(most, min(int(share*float64(asked.size.Rows)), utmostRows))
}

// weigh looks up how rare the words are in a full-text index.
func (r reader) weigh(ctx context.Context, table Table, text string) (q question, err error) {
	q.stemmer = map[string]string{}
	asked := terms(text, q.stemmer)
	if err := r.q.indexLate(ctx); err != nil {
		return q, err
	}
	frequency, size, err := r.q.engine.Words(ctx, r.q, table, question{}.words(asked))
	if err != nil {
		return q, err
	}
	rows := float64(size.Rows)
	rarity := func(n float64) float64 { return math.Log(1 + (max(rows, n)-n+0.5)/(n+0.5)) }
	q.rarest, q.size, q.asked = rarity(1), size, len(asked)
	for _, t := range asked {
		n := frequency[t.stem]
		t.rarity = min(rarity(n), q.rarest) // in a small store, a word that no row holds would count double
		q.weight += t.weight()
		if n > 0 {
			t.rows = int(n)
			q.terms = append(q.terms, t)
		}
	}
	slices.SortStableFunc(q.terms, func(a, b term) int { return cmp.Compare(b.weight(), a.weight()) })
	q.terms = q.terms[:min(len(q.terms), maxWords)]
	return q, nil
}

// words are some terms as the database gets them, with their rarity as BM25 has it.
func (q question) words(terms []term) []Word {
	words := make([]Word, len(terms))
	rows := float64(q.size.Rows)
	for i, t := range terms {
		words[i] = Word{t.text, t.stem, max(math.Log((rows-float64(t.rows)+0.5)/(float64(t.rows)+0.5)), minRarity)}
	}
	return words
}

// minRarity is the rarity that SQLite's BM25 gives to words that half of the rows or more hold.
const minRarity = 1e-6
