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
// estimates scoredPerRow times as many rows are scored as are wanted.
const scoredPerRow = 2

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
	if e.old {
		return func(most int) ([]Row, error) { return e.bestOld(ctx, c, m, most) }, nil
	}
	words := weightedWords{at: map[string]int{}}
	for _, w := range slices.Concat(m.Find, m.Words) {
		words.add(w.Stem)
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
		rows, err := e.score(ctx, c, m, words, estimated[:min(len(estimated), scoredPerRow*most)])
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

// weightedWords are the distinct words of a Match, those of Find first.
type weightedWords struct {
	stems  []string
	rarity []float64
	at     map[string]int
	sizes  uint64    // bit by length of a stem: most words of a text are of another or
	starts [256]bool // begin with another byte
}

func (ws *weightedWords) add(stem string) {
	if _, known := ws.at[stem]; known {
		return
	}
	ws.at[stem] = len(ws.stems)
	ws.stems, ws.rarity = append(ws.stems, stem), append(ws.rarity, 0)
	ws.sizes |= 1 << min(len(stem), 63)
	ws.starts[stem[0]] = true
}

// find returns the number of a word.
func (ws *weightedWords) find(stem string) (i int, found bool) {
	if ws.sizes&(1<<min(len(stem), 63)) == 0 || !ws.starts[stem[0]] {
		return 0, false
	}
	i, found = ws.at[stem]
	return i, found
}

// estimate returns the rows that have a word of m.Find, by number, with an estimate of their score.
func (e sqlite) estimate(ctx context.Context, c Conn, m Match, words weightedWords) (rows []Row, err error) {
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
	fts := m.Table.Name + `_fts`
	list := func(prefix string) string {
		return `(SELECT group_concat(rowid) FROM (SELECT rowid FROM ` + fts + ` WHERE ` + fts + ` MATCH '` + prefix + `"' || replace(value, '"', '""') || '"' ORDER BY rowid DESC LIMIT ` + strconv.Itoa(m.Rows) + `))`
	}
	heavyRows := `NULL`
	if m.Rows > maxSimilarRows { // else finding the word again takes longer than scoring all
		heavyRows = list(`{` + strings.Join(columns, " ") + `} : `)
	}
	err = c.Each(ctx, `SELECT key, `+list("")+`, `+heavyRows+` FROM json_each($1)`, []any{e.List(words.stems)}, func(row Scanner) error {
		var i int
		var anywhere, heavy *string
		if err := row.Scan(&i, &anywhere, &heavy); err != nil || anywhere == nil {
			return err
		}
		weak, strong := words.rarity[i]*bm25(lightest, 1), words.rarity[i]*bm25(heaviest, 1)
		if rows, err = addScores(rows, *anywhere, weak, found[words.stems[i]]); err == nil && heavy != nil {
			rows, err = addScores(rows, *heavy, strong-weak, false)
		}
		return err
	})
	return rows, err
}

// addScores adds to the scores of the listed rows. Both are sorted by number, the newest first. Rows
// that are only in the list are added, if so wanted.
func addScores(rows []Row, list string, score float64, add bool) ([]Row, error) {
	both := rows
	if add {
		both = make([]Row, 0, len(rows)+strings.Count(list, ",")+1)
	}
	i := 0
	for number := range strings.SplitSeq(list, ",") {
		seq, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, err
		}
		from := i
		for i < len(rows) && rows[i].Seq > seq {
			i++
		}
		if add {
			both = append(both, rows[from:i]...)
		}
		switch {
		case i < len(rows) && rows[i].Seq == seq:
			rows[i].Score += score
		case add:
			both = append(both, Row{seq, score})
		}
	}
	if add {
		both = append(both, rows[i:]...)
	}
	return both, nil
}

// score ranks rows by BM25, from the stems that the full-text index keeps of them.
func (e sqlite) score(ctx context.Context, c Conn, m Match, words weightedWords, rows []Row) ([]Row, error) {
	columns, texts := make([]string, len(m.Table.Columns)), make([]string, len(m.Table.Columns))
	var r Row
	into := []any{&r.Seq}
	for i := range columns {
		columns[i] = `c` + strconv.Itoa(i)
		into = append(into, &texts[i])
	}
	frequency := make([]float64, len(words.stems))
	scored := make([]Row, 0, len(rows))
	err := c.Each(ctx, `SELECT id, `+strings.Join(columns, ", ")+` FROM `+m.Table.Name+`_fts_content WHERE id `+e.AnyOf(1), []any{e.List(seqsOf(rows))}, func(row Scanner) error {
		if err := row.Scan(into...); err != nil {
			return err
		}
		clear(frequency)
		length := 0
		for i, text := range texts {
			for stem := range strings.SplitSeq(text, " ") {
				if stem == "" {
					continue
				}
				length++
				if w, asked := words.find(stem); asked {
					frequency[w] += m.Table.Weights[i]
				}
			}
		}
		norm := 1.0
		if m.Size.Words > 0 {
			norm = 1 - bm25Length + bm25Length*float64(length)/m.Size.Words
		}
		r.Score = 0
		for w, n := range frequency {
			r.Score += words.rarity[w] * bm25(n, norm)
		}
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
