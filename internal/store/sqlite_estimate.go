package store

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

// estimatedRow is a row with an estimate of its score.
type estimatedRow struct {
	Row
	words uint64 // that it has: bit by number
}

// estimate returns the rows that have a word of m.Find, and may be answers, with an estimate of their
// score.
func (e sqlite) estimate(ctx context.Context, c Conn, m Match, words *weightedWords) ([]Row, error) {
	heaviest := slices.Max(m.Table.Weights)
	var columns []string
	lightest := heaviest
	for i, weight := range m.Table.Weights {
		if weight == heaviest {
			columns = append(columns, m.Table.Columns[i])
		}
		lightest = min(lightest, weight)
	}
	found := map[string]bool{}
	for _, w := range m.Find {
		found[w.Stem] = true
	}
	n := len(words.stems)
	anywhere, heavy := make([][]int64, n), make([][]int64, n) // the rows of each word
	oldest := make([]int64, n)                                // of these, if there may be more
	byColumn := `{` + strings.Join(columns, " ") + `} : `
	var listed, unlisted []string
	for i, stem := range words.stems {
		switch {
		case words.newest[i] != nil:
			anywhere[i] = words.newest[i][:min(len(words.newest[i]), m.Rows)]
			if words.rarity[i] > 0 {
				listed = append(listed, stem)
			}
		case words.rarity[i] > 0:
			unlisted = append(unlisted, stem)
		default:
			oldest[i] = math.MaxInt64
		}
	}
	if err := errors.Join(
		e.newest(ctx, c, m.Table, m.Rows, listed, []string{byColumn}, func(stem string, seqs [][]int64) { heavy[words.at[stem]] = seqs[0] }),
		e.newest(ctx, c, m.Table, m.Rows, unlisted, []string{"", byColumn}, func(stem string, seqs [][]int64) {
			anywhere[words.at[stem]], heavy[words.at[stem]] = seqs[0], seqs[1]
		}),
	); err != nil {
		return nil, err
	}
	var rows []estimatedRow
	for i, stem := range words.stems {
		if len(anywhere[i]) == m.Rows {
			oldest[i] = anywhere[i][m.Rows-1]
		}
		weak, strong := words.rarity[i]*bm25(lightest, 1), words.rarity[i]*bm25(heaviest, 1)
		rows = addScores(rows, anywhere[i], estimatedRow{Row{Score: weak}, 1 << i}, found[stem])
		rows = addScores(rows, heavy[i], estimatedRow{Row: Row{Score: strong - weak}}, false)
	}
	return words.ruleOut(rows, m.Possible, oldest), nil
}

// newest calls take for each word with the newest rows that hold it, by number: for each filter, which may name
// columns of the index, a list of most rows or fewer.
func (e sqlite) newest(ctx context.Context, c Conn, table Table, most int, stems, filters []string, take func(stem string, seqs [][]int64)) error {
	if len(stems) == 0 {
		return nil
	}
	fts, columns := table.Name+`_fts`, ""
	lists := make([]*string, len(filters))
	var stem string
	into := []any{&stem}
	for i, filter := range filters {
		columns += `, (SELECT group_concat(rowid) FROM (SELECT rowid FROM ` + fts + ` WHERE ` + fts + ` MATCH ` + quotedValue(filter) + ` ORDER BY rowid DESC LIMIT ` + strconv.Itoa(most) + `))`
		into = append(into, &lists[i])
	}
	return c.Each(ctx, `SELECT value`+columns+` FROM json_each($1)`, []any{e.List(stems)}, func(row Scanner) error {
		if err := row.Scan(into...); err != nil {
			return err
		}
		seqs := make([][]int64, len(lists))
		for i, list := range lists {
			var err error
			if seqs[i], err = parseSeqs(list); err != nil {
				return err
			}
		}
		take(stem, seqs)
		return nil
	})
}

// quotedValue returns a full-text expression for the word in the column value of a query.
func quotedValue(filter string) string {
	return `'` + filter + `"' || replace(value, '"', '""') || '"'`
}

// parseSeqs reads numbers with commas between them; nil is none.
func parseSeqs(list *string) ([]int64, error) {
	if list == nil {
		return nil, nil
	}
	seqs := make([]int64, 0, strings.Count(*list, ",")+1)
	for number := range strings.SplitSeq(*list, ",") {
		seq, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, err
		}
		seqs = append(seqs, seq)
	}
	return seqs, nil
}

// addScores adds a score and a word to listed rows. Both are sorted by number, the newest first. Rows
// that are only in the list are added, if so wanted.
func addScores(rows []estimatedRow, seqs []int64, more estimatedRow, add bool) []estimatedRow {
	both := rows
	if add {
		both = make([]estimatedRow, 0, len(rows)+len(seqs))
	}
	i := 0
	for _, seq := range seqs {
		from := i
		for i < len(rows) && rows[i].Seq > seq {
			i++
		}
		if add {
			both = append(both, rows[from:i]...)
		}
		switch {
		case i < len(rows) && rows[i].Seq == seq:
			rows[i].Score += more.Score
			rows[i].words |= more.words
		case add:
			both = append(both, estimatedRow{Row{Seq: seq, Score: more.Score}, more.words})
		}
	}
	if add {
		both = append(both, rows[i:]...)
	}
	return both
}
