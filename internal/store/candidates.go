package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"whence/internal/inert"
	"whence/internal/learning"
	"whence/internal/rank"
	"whence/internal/words"
)

// Query selects learnings or turns. What is listed has no Text.
type Query struct {
	Scope
	Text     string
	Category learning.Category // "": all
	NoKinds  []string          // of sessions: excludes turns of these kinds
	Except   string            // excludes what was said in this session, and stored by it, since Since
	Since    time.Time
	Max      int     // hits; 0: all
	MinWords int     // that a hit shares with Text
	Evidence float64 // minimum; see rank.MinEvidence
	Typed    bool    // typed by a user, who wants the nearest: without an answer, hits with a rare word
}

// The time of a search grows with the number of rows that have its words. So the newest maxListedRows rows of each word
// in the scope are listed, and the rarest are searched for, up to maxRows rows together; common words only rank.
const (
	maxListedRows = 1000
	maxRows       = 500
)

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

// termsOf returns the distinct ones of words, by stem, the most frequent if there are too many.
func termsOf(all []string) []rank.Term {
	var found []rank.Term
	at := map[string]int{}
	stemmer := words.Stemmer{}
	for _, word := range all {
		if strings.Contains(word, "_") {
			continue // its parts follow
		}
		stem := stemmer.Stem(word)
		if i, known := at[stem]; known {
			found[i].Count++
			continue
		}
		at[stem] = len(found)
		found = append(found, rank.Term{Text: word, Stem: stem, Count: 1})
	}
	if len(found) > maxQueryWords {
		slices.SortStableFunc(found, func(a, b rank.Term) int { return cmp.Compare(b.Count, a.Count) })
		found = found[:maxQueryWords]
	}
	return found
}

// ask weighs the words of a text by how many rows of a table have them, in the scope of the query.
func (c conn) ask(ctx context.Context, table string, of Query) (asked rank.Question, err error) {
	all := words.Terms(of.Text)
	if table != "entries" { // whose parts of identifiers are not indexed
		all = words.WholeTerms(of.Text)
	}
	last, err := c.countRows(ctx, table, Scope{Everywhere: true})
	if err != nil {
		return asked, err
	}
	inScope, err := c.countRows(ctx, table, of.Scope)
	if err != nil {
		return asked, err
	}
	terms, total := termsOf(all), float64(inScope)
	if table == "commits" {
		total = max(total, minCommits)
	}
	query := fmt.Sprintf(`SELECT json_group_array(rowid) FROM (SELECT rowid FROM %[1]s WHERE %[1]s MATCH @word ORDER BY rowid DESC LIMIT @max)`, table+"_fts")
	for i := range terms {
		t, rows := &terms[i], ""
		if _, err := c.get(ctx, query, params{"word": of.Scope.match(table, t.Stem), "max": maxListedRows}, &rows); err != nil {
			return asked, err
		}
		if err := json.Unmarshal([]byte(rows), &t.Rows); err != nil {
			return asked, err
		}
		t.Total = float64(len(t.Rows))
		if len(t.Rows) == maxListedRows { // the newest tell how many there are
			t.Total = min(total, t.Total*float64(last)/float64(last-t.Rows[maxListedRows-1]+1))
		}
	}
	return rank.NewQuestion(terms, total), nil
}

// minCommits is the number of commits that rarity assumes: among three, nothing is rare.
const minCommits = 50

// candidates returns the rows that have any of the rarest words, the best by the words that they have
// first.
func candidates(asked rank.Question) []int64 {
	left := maxRows
	score := map[int64]float64{}
	for i, t := range asked.Terms {
		find := i == 0 || len(t.Rows) <= left
		if find {
			left -= len(t.Rows)
		}
		for _, seq := range t.Rows {
			if _, known := score[seq]; known || find {
				score[seq] += t.Weight()
			}
		}
	}
	seqs := slices.Collect(maps.Keys(score))
	slices.SortFunc(seqs, func(a, b int64) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b)) })
	return seqs
}

// maxJudged is how many candidates are judged at least, the best by the words that they have. Behind many without
// evidence no better ones are to be expected; those of other repositories do not count.
const maxJudged = 50
