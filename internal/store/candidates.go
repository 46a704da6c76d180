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

// Query selects learnings, turns or commits. List and Count ignore Text.
type Query struct {
	Scope
	Text     string
	Category learning.Category // "": all
	NoKinds  []string          // kinds of turns that a search of sessions excludes
	Except   string            // session to exclude since Since: its turns, and learnings it observed
	Since    time.Time
	Max      int     // maximum number of hits; 0: no limit
	MinWords int     // minimum number of words that a hit shares with Text
	Evidence float64 // minimum; see rank.MinEvidence
	Typed    bool    // a user typed Text and wants the nearest: without an answer, return hits with a rare word
}

// The time of a search grows with the number of rows that contain its words. So only the newest maxListedRows rows of
// each word in the scope are listed. The weightiest word selects all of its rows, further ones only while the selected
// rows are at most maxRows; all other words only affect the ranking.
const (
	maxListedRows = 1000
	maxRows       = 500
)

// maxQueryWords is the maximum number of words of a text to look up: the most frequent.
const maxQueryWords = 300

// params returns the parameters of the statements of a search.
func (q Query) params() params {
	p := q.Scope.params()
	p["category"], p["kinds"], p["max"] = string(q.Category), append([]string{}, q.NoKinds...), q.Max
	p["except"], p["since"] = inert.Clean(q.Except), cmp.Or(timeText(q.Since), any(""))
	if q.Max <= 0 {
		p["max"] = -1
	}
	return p
}

// termsOf returns a term for each stem of the words, at most maxQueryWords: the most frequent.
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

// ask weighs the words of a query by the number of rows of a table that contain them, in the scope of the query. The
// question has no terms if no row has any of the words.
func (c conn) ask(ctx context.Context, table string, of Query) (asked rank.Question, err error) {
	all := words.Terms(of.Text)
	if table != "entries" { // only entries index the parts of identifiers
		all = words.WholeTerms(of.Text)
	}
	inScope, err := c.countRows(ctx, table, of.Scope)
	if err != nil || inScope == 0 {
		return asked, err
	}
	last, err := c.countRows(ctx, table, Scope{Everywhere: true})
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
		if len(t.Rows) == maxListedRows { // estimate the total from the newest
			t.Total = min(total, t.Total*float64(last)/float64(last-t.Rows[maxListedRows-1]+1))
		}
	}
	return rank.NewQuestion(terms, total), nil
}

// minCommits is the minimum number of commits to compute rarity with: among three, no word is rare.
const minCommits = 50

// candidates returns the rows that contain one of the weightiest words, ordered by the total weight of
// their words, highest first.
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

// maxJudged is the number of candidates to judge, best first, unless the query asks for more hits. After so many
// without evidence, a better one is unlikely. Only candidates that the query selects count.
const maxJudged = 50
