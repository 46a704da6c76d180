package store

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"whence/internal/learning"
	"whence/internal/text"
)

// Query is a search of learnings or turns.
type Query struct {
	Scope
	Text     string
	Category learning.Category // "": all
	NoKinds  []string          // excludes turns of these kinds
	Except   string            // excludes turns of this session, and learnings that it has stored since Since
	Since    time.Time
	Max      int     // hits; 0: all
	MinWords int     // that a hit shares with Text
	Evidence float64 // minimum; see MinEvidence
	Unasked  bool    // recall without a question: searches for the rarest words only
	Typed    bool    // typed by a user, who wants the nearest: without an answer, hits with a rare word
}

// MinEvidence is the evidence that a hit needs to be an answer, unless it is [Hit.Named]. On the bank of
// make eval it answers 1 of 10 questions that have no answer, and keeps all but 1 of 72 answers that
// are ranked first. In a store of thousands more words are shared by chance: there it answers 2 to 3 of
// 10, and keeps as many.
const MinEvidence = 0.54

// The time of a search grows with the number of rows that have its words. So only the rarest maxWords of
// a long text count, which find as much as all. Of these, the newest maxListedRows rows of each word are
// listed, and the rarest are searched for, up to maxRows rows together; common words only rank. Recall
// without a question must be fast and only shows what shares rare words.
const (
	maxWords       = 32
	maxListedRows  = 4000
	maxRows        = 4000
	maxUnaskedRows = 500
	minFindWords   = 3 // are searched for, however common
)

// term is a word of a question.
type term struct {
	text   string
	stem   string  // as the index has it
	count  float64 // 1 + log2 of how often the question has it
	rarity float64 // inverse document frequency
	rows   []int64 // that have it, the newest first, at most maxListedRows
	total  float64 // of these; an estimate if not all are listed
}

// weight returns the score for finding the word.
func (t term) weight() float64 { return t.count * t.rarity }

// question is a query with its words weighed for one index.
type question struct {
	terms  []term  // that some row has, best first, at most maxWords
	asked  int     // number of words, with those that no row has
	weight float64 // of all these
	rarest float64 // rarity of a word that one row has
	rows   float64 // of the table
}

// A word is rare if at most maxRareRows rows have it, or rareShare of all.
const (
	maxRareRows = 3
	rareShare   = 0.02
)

// hasRare reports whether a row has a rare word of the question.
func (q question) hasRare(frequency map[string]float64) bool {
	return slices.ContainsFunc(q.terms, func(t term) bool {
		return frequency[t.stem] > 0 && t.total <= max(maxRareRows, rareShare*q.rows)
	})
}

// maxQueryWords is how many words of a text are looked up: the most frequent.
const maxQueryWords = 300

// termsOf returns the distinct words of a text, by stem.
func termsOf(s string) []term {
	var found []term
	at := map[string]int{}
	stemmer := text.Stemmer{}
	for _, word := range text.Terms(s) {
		if strings.Contains(word, "_") {
			continue // its parts follow
		}
		stem := stemmer.Stem(word)
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

// ask weighs the words of a text by how many rows of a table have them.
func (c conn) ask(ctx context.Context, table, s string) (q question, err error) {
	terms := termsOf(s)
	var last int64
	if _, err := c.get(ctx, `SELECT coalesce(max(seq), 0) FROM `+table, nil, &last); err != nil {
		return q, err
	}
	if err := c.list(ctx, table, terms, float64(last)); err != nil {
		return q, err
	}
	all := float64(last)
	rarity := func(n float64) float64 { return math.Log(1 + (max(all, n)-n+0.5)/(n+0.5)) }
	q.rarest, q.asked, q.rows = rarity(1), len(terms), all
	for _, t := range terms {
		t.rarity = min(rarity(t.total), q.rarest) // in a small store, a word that no row has would count double
		q.weight += t.weight()
		if t.total > 0 {
			q.terms = append(q.terms, t)
		}
	}
	slices.SortStableFunc(q.terms, func(a, b term) int { return cmp.Compare(b.weight(), a.weight()) })
	q.terms = q.terms[:min(len(q.terms), maxWords)]
	return q, nil
}

// list sets the rows of terms. Where more rows have a word than are listed, the newest tell how many
// there are.
func (c conn) list(ctx context.Context, table string, terms []term, last float64) error {
	fts := table + `_fts`
	query := `SELECT group_concat(rowid) FROM (SELECT rowid FROM ` + fts + ` WHERE ` + fts + ` MATCH @word ORDER BY rowid DESC LIMIT @max)`
	for i := range terms {
		t := &terms[i]
		var seqs sql.NullString
		word := `"` + strings.ReplaceAll(t.stem, `"`, `""`) + `"`
		if _, err := c.get(ctx, query, params{"word": word, "max": maxListedRows}, &seqs); err != nil {
			return err
		}
		if !seqs.Valid {
			continue
		}
		for number := range strings.SplitSeq(seqs.String, ",") {
			seq, err := strconv.ParseInt(number, 10, 64)
			if err != nil {
				return err
			}
			t.rows = append(t.rows, seq)
		}
		t.total = float64(len(t.rows))
		if len(t.rows) == maxListedRows {
			t.total *= last / (last - float64(t.rows[len(t.rows)-1]) + 1)
		}
	}
	return nil
}

// candidates returns the rows that have any of the rarest words, the best by the words that they have
// first.
func (q question) candidates(unasked bool) []int64 {
	left := maxRows
	if unasked {
		left = maxUnaskedRows
	}
	score := map[int64]float64{}
	for i, t := range q.terms {
		find := i == 0 || len(t.rows) <= left || !unasked && i < minFindWords
		if find {
			left -= len(t.rows)
		}
		for _, seq := range t.rows {
			if _, known := score[seq]; known || find {
				score[seq] += t.weight()
			}
		}
	}
	seqs := slices.Collect(maps.Keys(score))
	slices.SortFunc(seqs, func(a, b int64) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b)) })
	return seqs
}

// The parameters of BM25, as in SQLite.
const (
	bm25Frequency = 1.2
	bm25Length    = 0.75
)

// bm25 scores a row by the frequency of each term of the question, weighted by column, and by its
// length as a share of the average.
func (q question) bm25(frequency map[string]float64, length float64) (score float64) {
	norm := 1 - bm25Length + bm25Length*length
	for _, t := range q.terms {
		if n := frequency[t.stem]; n > 0 {
			score += t.weight() * n * (bm25Frequency + 1) / (n + bm25Frequency*norm)
		}
	}
	return score
}

// countWords adds a weight to the frequency of each word of a line of stems, and returns how many
// words there are.
func countWords(frequency map[string]float64, stems string, weight float64) (n float64) {
	for word := range strings.FieldsSeq(stems) {
		frequency[word] += weight
		n++
	}
	return n
}

// Fewer shared words than fewWords may be chance. A question of more words than manyWords, if they are
// rare, needs no more evidence.
const (
	fewWords  = 1.5
	manyWords = 16
)

// evidence returns, from 0 to 1, how surely a text answers the question, and by which words: the weight
// of the words that it has, divided by the geometric mean of the weight of all and that of the rarest. A
// share of all would be too strict with long questions, a sum too lax. Few words count less, unless
// they are all. A word that is only beside the text counts half.
func (q question) evidence(text, beside map[string]bool) (evidence float64, words []string) {
	found := 0.0
	for _, t := range q.terms {
		if text[t.stem] {
			found += t.weight()
		} else if beside[t.stem] {
			found += t.weight() / 2
		} else {
			continue
		}
		words = append(words, t.text)
	}
	if len(words) == 0 {
		return 0, nil
	}
	whole := min(q.weight, manyWords*q.rarest)
	share := min(1, found/math.Sqrt(whole*min(whole, q.rarest)))
	if len(words) == q.asked {
		return share, words
	}
	return share * (1 - math.Exp(-float64(len(words))/fewWords)), words
}

// wordSet returns the words of lines of stems.
func wordSet(lines ...string) map[string]bool {
	set := map[string]bool{}
	for _, line := range lines {
		for word := range strings.FieldsSeq(line) {
			set[word] = true
		}
	}
	return set
}

// covers returns the share of words that are in the question.
func (q question) covers(words map[string]bool) float64 {
	if len(words) == 0 {
		return 0
	}
	n := 0
	for _, t := range q.terms {
		if words[t.stem] {
			n++
		}
	}
	return float64(n) / float64(len(words))
}

// rowsAtATime is how many candidates are read at a time: after many without evidence, no better ones
// are to be expected.
const rowsAtATime = 100

// eachPart calls take for parts of the candidates, best first, until it has enough.
func (q question) eachPart(unasked bool, take func(seqs []int64) (enough bool, err error)) error {
	for part := range slices.Chunk(q.candidates(unasked), rowsAtATime) {
		if enough, err := take(part); err != nil || enough {
			return err
		}
	}
	return nil
}
