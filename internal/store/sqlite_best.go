package store

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
)

// SQLite's own ranking takes 6 to 8 µs for each row that has a word, for it reads the row's length
// and the places of all words. The list of a word's rows takes 0.2 µs a row. So the score of a row is
// estimated from the words it has, in the columns that weigh most or only in others; of the best
// estimates scoredPerRow times as many rows are scored as are wanted, and minScoredRows at least.
const (
	scoredPerRow  = 1.5
	minScoredRows = 60
)

// The parameters of BM25, as SQLite has them.
const (
	bm25Frequency = 1.2
	bm25Length    = 0.75
)

// bm25 returns the share of its rarity that a word adds to the score of a row. Norm is 1 for a row of
// average length.
func bm25(frequency, norm float64) float64 {
	return frequency * (bm25Frequency + 1) / (frequency + bm25Frequency*norm)
}

func (e sqlite) Best(ctx context.Context, c Conn, m Match) (best func(most int) ([]Row, error), err error) {
	words := &weightedWords{at: map[string]int{}}
	for _, w := range slices.Concat(m.Find, m.Words) {
		words.add(w)
	}
	if m.Possible != nil {
		for _, w := range m.Question {
			words.add(w)
		}
	}
	for _, w := range m.Words { // a repeated one is like one of twice the rarity
		words.rarity[words.at[w.Stem]] += w.Rarity
	}
	estimated, err := e.estimate(ctx, c, m, words)
	if err != nil {
		return nil, err
	}
	sortRows(estimated)
	return func(most int) ([]Row, error) {
		if most == 0 {
			most = len(estimated)
		}
		rows, err := e.score(ctx, c, m, words, estimated[:min(len(estimated), max(minScoredRows, int(scoredPerRow*float64(most))))])
		if err != nil {
			return nil, err
		}
		sortRows(rows)
		return rows[:min(len(rows), most)], nil
	}, nil
}

func sortRows(rows []Row) {
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Seq, b.Seq)) })
}

// score ranks rows by BM25, from the stems that the full-text index keeps of them.
func (e sqlite) score(ctx context.Context, c Conn, m Match, words *weightedWords, rows []Row) ([]Row, error) {
	columns, texts := make([]string, len(m.Table.Columns)), make([]string, len(m.Table.Columns))
	var r Row
	into := []any{&r.Seq}
	for i := range columns {
		columns[i] = `c` + strconv.Itoa(i)
		into = append(into, &texts[i])
	}
	frequency := make([]float64, len(words.stems))
	mayAnswer := words.mayAnswer(m.Possible)
	scored := make([]Row, 0, len(rows))
	err := c.Each(ctx, `SELECT id, `+strings.Join(columns, ", ")+` FROM `+m.Table.Name+`_fts_content WHERE id `+e.AnyOf(1), []any{e.List(seqsOf(rows))}, func(row Scanner) error {
		if err := row.Scan(into...); err != nil {
			return err
		}
		clear(frequency)
		length := 0
		for i, text := range texts {
			length += words.count(text, m.Table.Weights[i], frequency)
		}
		norm := 1.0
		if m.Size.Words > 0 {
			norm = 1 - bm25Length + bm25Length*float64(length)/m.Size.Words
		}
		r.Score = 0
		has := uint64(0)
		for w, n := range frequency {
			if n > 0 {
				r.Score += words.rarity[w] * bm25(n, norm)
				has |= 1 << w
			}
		}
		r.RuledOut = !mayAnswer(has)
		scored = append(scored, r)
		return nil
	})
	return scored, err
}

func stemsOf(words []Word) []string {
	stems := make([]string, len(words))
	for i, w := range words {
		stems[i] = w.Stem
	}
	return stems
}
