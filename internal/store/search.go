package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"

	"whence/internal/inert"
	"whence/internal/learning"
	"whence/internal/words"
)

// Query selects learnings or turns. What is listed has no Text.
type Query struct {
	Scope
	Text          string
	Category      learning.Category // "": all
	NoKinds       []string          // of sessions: excludes turns of these kinds
	Except        string            // excludes what was said in this session, and stored by it, since Since
	Since         time.Time
	Max           int     // hits; 0: all
	MinWords      int     // that a hit shares with Text
	Evidence      float64 // minimum; see MinEvidence
	OnePerSession bool    // of turns: the best of each session
	Typed         bool    // typed by a user, who wants the nearest: without an answer, hits with a rare word
}

// MinEvidence is the evidence that a hit needs to be an answer, unless its name answers a short query. On the bank of
// make eval it answers 1 of 10 questions that have no answer, and keeps all but 1 of 72 answers that
// are ranked first. In a store of thousands more words are shared by chance: there it answers 2 to 3 of
// 10, and keeps as many.
const MinEvidence = 0.54

// The time of a search grows with the number of rows that have its words. So only the rarest maxWords of
// a long text count, which find as much as all. Of these, the newest maxListedRows rows of each word in the scope are
// listed, and the rarest are searched for, up to maxRows rows together; common words only rank.
const (
	maxWords      = 32
	maxListedRows = 1000
	maxRows       = 500
)

// term is a word of a question.
type term struct {
	text   string
	stem   string  // as the index has it
	count  float64 // 1 + log2 of how often the question has it
	rarity float64 // inverse document frequency
	rows   []int64 // that have it, the newest first, at most so many as are listed
	total  float64 // of these; an estimate if not all are listed
}

// weight returns the score for finding the word.
func (t term) weight() float64 { return t.count * t.rarity }

// question is a query with its words weighed for one index.
type question struct {
	terms  []term         // that some row has, best first, at most maxWords
	asked  int            // number of words, with those that no row has
	weight float64        // of all these
	rarest float64        // rarity of a word that one row has
	rows   float64        // of the table
	at     map[string]int // indexes of terms by stem
}

// A word is rare if at most maxRareRows rows have it, or rareShare of all.
const (
	maxRareRows = 3
	rareShare   = 0.02
)

// wordSet is a set of words of a question: a bit for each of its terms.
type wordSet uint64

// hasRare reports whether a rare word of the question is in a set.
func (q question) hasRare(has wordSet) bool {
	for i, t := range q.terms {
		if has&(1<<i) != 0 && t.total <= max(maxRareRows, rareShare*q.rows) {
			return true
		}
	}
	return false
}

// counted counts the words of a text: each word of the question, and all.
type counted struct {
	frequency [maxWords]float64
	length    float64
}

// count adds a line of stems to c with a weight. It returns which words of the question the line has, and
// how many words it has in all.
func (q question) count(c *counted, stems string, weight float64) (has wordSet, words int) {
	for word := range strings.FieldsSeq(stems) {
		words++
		if i, known := q.at[word]; known {
			c.frequency[i] += weight
			has |= 1 << i
		}
	}
	c.length += float64(words)
	return has, words
}

// maxQueryWords is how many words of a text are looked up: the most frequent.
const maxQueryWords = 300

// params returns what the statements of a search select by.
func (q Query) params() params {
	p := q.Scope.params()
	p["category"], p["kinds"], p["max"] = string(q.Category), append([]string{}, q.NoKinds...), q.Max
	p["except"], p["since"] = inert.Clean(q.Except), cmp.Or(timeText(q.Since), any(""))
	if q.Max <= 0 {
		p["max"] = -1
	}
	return p
}

// termsOf returns the distinct ones of words, by stem.
func termsOf(all []string) []term {
	var found []term
	at := map[string]int{}
	stemmer := words.Stemmer{}
	for _, word := range all {
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

// ask weighs the words of a text by how many rows of a table have them, in the scope of the query.
func (c conn) ask(ctx context.Context, table string, of Query) (q question, err error) {
	all := words.Terms(of.Text)
	if table == "turns" { // whose parts of identifiers are not indexed
		all = words.WholeTerms(of.Text)
	}
	terms := termsOf(all)
	last, err := c.countRows(ctx, table, Scope{Everywhere: true})
	if err != nil {
		return q, err
	}
	inScope, err := c.countRows(ctx, table, of.Scope)
	if err != nil {
		return q, err
	}
	total := float64(inScope)
	rarity := func(n float64) float64 { return math.Log(1 + (max(total, n)-n+0.5)/(n+0.5)) }
	q.rarest, q.asked, q.rows = rarity(1), len(terms), total
	query := fmt.Sprintf(`SELECT json_group_array(rowid) FROM (SELECT rowid FROM %[1]s WHERE %[1]s MATCH @word ORDER BY rowid DESC LIMIT @max)`, table+"_fts")
	for _, t := range terms {
		var rows string
		if _, err := c.get(ctx, query, params{"word": of.Scope.match(table, t.stem), "max": maxListedRows}, &rows); err != nil {
			return q, err
		}
		if err := json.Unmarshal([]byte(rows), &t.rows); err != nil {
			return q, err
		}
		t.total = float64(len(t.rows))
		if len(t.rows) == maxListedRows { // the newest tell how many there are
			t.total = min(total, t.total*float64(last)/float64(last-t.rows[maxListedRows-1]+1))
		}
		t.rarity = min(rarity(t.total), q.rarest) // in a small store, a word that no row has would count double
		q.weight += t.weight()
		if t.total > 0 {
			q.terms = append(q.terms, t)
		}
	}
	slices.SortStableFunc(q.terms, func(a, b term) int { return cmp.Compare(b.weight(), a.weight()) })
	q.terms = q.terms[:min(len(q.terms), maxWords)]
	q.at = make(map[string]int, len(q.terms))
	for i, t := range q.terms {
		q.at[t.stem] = i
	}
	return q, nil
}

// candidates returns the rows that have any of the rarest words, the best by the words that they have
// first.
func (q question) candidates() []int64 {
	left := maxRows
	score := map[int64]float64{}
	for i, t := range q.terms {
		find := i == 0 || len(t.rows) <= left
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

// bm25 scores a row by its words; average is the length of an average row.
func (q question) bm25(c counted, average float64) (score float64) {
	norm := 1 - bm25Length + bm25Length*c.length/average
	for i, t := range q.terms {
		if n := c.frequency[i]; n > 0 {
			score += t.weight() * n * (bm25Frequency + 1) / (n + bm25Frequency*norm)
		}
	}
	return score
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
func (q question) evidence(text, beside wordSet) (evidence float64, words []string) {
	found := 0.0
	for i, t := range q.terms {
		if text&(1<<i) != 0 {
			found += t.weight()
		} else if beside&(1<<i) != 0 {
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

// share returns the share of words that are in the question.
func share(has wordSet, words int) float64 {
	if words == 0 {
		return 0
	}
	return float64(bits.OnesCount64(uint64(has))) / float64(words)
}

// maxJudged is how many candidates are judged at least, the best by the words that they have. Behind many without
// evidence no better ones are to be expected; those of other repositories do not count.
const maxJudged = 50
