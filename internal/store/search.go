package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"whence/internal/learning"
	"whence/internal/rank"
)

// Query is what to search learnings for.
type Query struct {
	Text       string
	Project    string            // its learnings count, and the global ones
	Everywhere bool              // those of all projects do
	Category   learning.Category // "": all
	Retired    bool              // learnings that no longer apply too
	Most       int               // hits to return; 0: all that have evidence
	Evidence   float64           // the least, see Hit; negative: none is needed
}

// Hit is a learning that a search has found.
type Hit struct {
	learning.Learning
	Score    float64  // of the ranking, higher is better; comparable within one search
	Evidence float64  // 0..1: how much of what was asked, by rarity, the learning holds
	Words    []string // of the query that it holds, rarest first

	seq int64
}

// candidates is how many learnings are looked at closely.
const candidates = 60

// Search finds learnings by the words that they share with a text, best first. Nothing
// found is no error.
func (s *Store) Search(ctx context.Context, q Query) ([]Hit, error) {
	hits, err := reader{s.db}.search(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("search the store: %w", err)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return compareScores(a.Score, b.Score) })
	hits = slices.DeleteFunc(hits, func(h Hit) bool { return h.Evidence < q.Evidence })
	if q.Most > 0 && len(hits) > q.Most {
		hits = hits[:q.Most]
	}
	return hits, nil
}

// reader searches a database, or what a transaction sees of it.
type reader struct {
	q interface {
		QueryContext(context.Context, string, ...any) (*sql.Rows, error)
		QueryRowContext(context.Context, string, ...any) *sql.Row
	}
}

func (r reader) search(ctx context.Context, q Query) ([]Hit, error) {
	asked, missing, err := r.weigh(ctx, "entries", terms(q.Text))
	if err != nil || len(asked) == 0 {
		return nil, err
	}
	var hits []Hit
	for at, most := 0, 4*candidates; ; most = -1 { // all rows only where filters have left too few of the best
		rows, err := r.match(ctx, "entries", learningWeights, asked, most)
		if err != nil {
			return nil, err
		}
		for ; at < len(rows) && len(hits) < candidates; at += candidates {
			part := rows[at:min(at+candidates, len(rows))]
			found, err := r.read(ctx, q, part)
			if err != nil {
				return nil, err
			}
			for _, row := range part {
				if l, ok := found[row.seq]; ok {
					hits = append(hits, judge(l, row, asked, missing))
				}
			}
		}
		if len(rows) != most || len(hits) >= candidates {
			return hits, nil
		}
	}
}

// row is a row of a full-text index, with its BM25 score: higher is better.
type row struct {
	seq   int64
	score float64
}

// match returns the best rows of a full-text index that hold any of the words; -1 is all.
func (r reader) match(ctx context.Context, table, weights string, asked []term, most int) ([]row, error) {
	rows, err := r.q.QueryContext(ctx, `SELECT rowid, -rank FROM `+table+`_fts WHERE `+table+`_fts MATCH ? AND rank MATCH 'bm25(`+weights+`)' ORDER BY rank LIMIT ?`,
		expression(asked), most)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []row
	for rows.Next() {
		var next row
		if err := rows.Scan(&next.seq, &next.score); err != nil {
			return nil, err
		}
		found = append(found, next)
	}
	return found, rows.Err()
}

// candidate is a learning with the words of its identifiers.
type candidate struct {
	learning.Learning
	parts string
}

// read returns those of some rows that the query allows.
func (r reader) read(ctx context.Context, q Query, some []row) (map[int64]candidate, error) {
	arguments := []any{q.Everywhere, q.Project, q.Retired, string(q.Category), string(q.Category)}
	for _, row := range some {
		arguments = append(arguments, row.seq)
	}
	rows, err := r.q.QueryContext(ctx, `SELECT `+columns+`, e.parts FROM entries e
		WHERE (? OR e.source_project IS NULL OR e.source_project = ?) AND (? OR e.retired IS NULL) AND (? = '' OR e.category = ?)
		AND e.seq IN (?`+strings.Repeat(`, ?`, len(some)-1)+`)`, arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[int64]candidate{}
	for rows.Next() {
		var c candidate
		var seq int64
		if seq, c.Learning, err = scan(rows, &c.parts); err != nil {
			return nil, err
		}
		found[seq] = c
	}
	return found, rows.Err()
}

// learningWeights are the weights of the columns of entries_fts: name, keywords,
// description, reasoning, parts.
const learningWeights = "4.0, 0.5, 2.0, 0.7, 0.5"

// judge works out what a learning has of the words that were asked for.
func judge(c candidate, row row, asked []term, missing float64) Hit {
	h := Hit{Learning: c.Learning, Score: row.score, seq: row.seq}
	h.Evidence, h.Words = evidence(asked, missing, stems(c.Name+" "+c.Description+" "+c.parts), stems(c.Reasoning))
	return h
}

// evidence is the share, by weight, of what was asked for that a text holds, and these
// words. What only stands beside the text counts half.
func evidence(asked []term, missing float64, text, beside map[string]bool) (share float64, words []string) {
	found, all := 0.0, missing
	for _, t := range asked {
		all += t.weight()
		switch {
		case text[t.stem]:
			found += t.weight()
		case beside[t.stem]:
			found += t.weight() / 2
		default:
			continue
		}
		words = append(words, t.text)
	}
	if all == 0 {
		return 0, nil
	}
	return found / all, words
}

// compareScores orders the higher score first.
func compareScores(a, b float64) int { return cmp.Compare(b, a) }

// stems are the words of a text as the full-text index has them.
func stems(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range rank.Terms(text) {
		set[stem(word)] = true
	}
	return set
}
