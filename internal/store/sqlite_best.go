package store

import (
	"cmp"
	"context"
	"errors"
	"math"
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
	if e.old {
		return func(most int) ([]Row, error) { return e.bestOld(ctx, c, m, most) }, nil
	}
	words := weightedWords{at: map[string]int{}}
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

// weightedWords are the distinct words of a Match, those of Find first, and those of Question that do not
// rank rows last.
type weightedWords struct {
	stems  []string
	newest [][]int64 // as in [Holders]
	rarity []float64 // 0: does not rank
	at     map[string]int
	sizes  [256]uint64 // by first byte of a stem: bit by its length; most words of a text are no stem's
}

func (ws *weightedWords) add(w Word) {
	if _, known := ws.at[w.Stem]; known {
		return
	}
	ws.at[w.Stem] = len(ws.stems)
	ws.stems, ws.newest, ws.rarity = append(ws.stems, w.Stem), append(ws.newest, w.Newest), append(ws.rarity, 0)
	ws.sizes[w.Stem[0]] |= 1 << min(len(w.Stem), 63)
}

// count adds a weight to the frequency of the words of a text, by number, for each time that it has them. It
// returns the number of all its words, between which are spaces.
func (ws *weightedWords) count(text string, weight float64, frequency []float64) (all int) {
	for start := 0; start < len(text); {
		end := start
		for end < len(text) && text[end] != ' ' {
			end++
		}
		if end > start {
			all++
			if ws.sizes[text[start]]&(1<<min(end-start, 63)) != 0 {
				if i, found := ws.at[text[start:end]]; found {
					frequency[i] += weight
				}
			}
		}
		start = end + 1
	}
	return all
}

// estimatedRow is a row with an estimate of its score.
type estimatedRow struct {
	Row
	words uint64 // that it has: bit by number
}

// estimate returns the rows that have a word of m.Find, and may be answers, with an estimate of their
// score.
func (e sqlite) estimate(ctx context.Context, c Conn, m Match, words weightedWords) ([]Row, error) {
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
			if words.rarity[i] > 0 && m.Rows > maxSimilarRows { // of few rows, finding the word again takes longer than scoring all
				listed = append(listed, stem)
			}
		case words.rarity[i] > 0:
			unlisted = append(unlisted, stem)
		default:
			oldest[i] = math.MaxInt64
		}
	}
	if err := errors.Join(
		e.newest(ctx, c, m, listed, []string{byColumn}, func(stem string, seqs [][]int64) { heavy[words.at[stem]] = seqs[0] }),
		e.newest(ctx, c, m, unlisted, []string{"", byColumn}, func(stem string, seqs [][]int64) {
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
	return words.possible(rows, m.Possible, oldest), nil
}

// newest calls take for each word with its newest rows, at most m.Rows: a list for each of the filters, which
// may name columns of the index.
func (e sqlite) newest(ctx context.Context, c Conn, m Match, stems, filters []string, take func(stem string, seqs [][]int64)) error {
	if len(stems) == 0 {
		return nil
	}
	fts, columns := m.Table.Name+`_fts`, ""
	lists := make([]*string, len(filters))
	var stem string
	into := []any{&stem}
	for i, filter := range filters {
		columns += `, (SELECT group_concat(rowid) FROM (SELECT rowid FROM ` + fts + ` WHERE ` + fts + ` MATCH ` + quotedValue(filter) + ` ORDER BY rowid DESC LIMIT ` + strconv.Itoa(m.Rows) + `))`
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

// possible returns the rows that may be answers. Each word may be in rows that are older than the oldest
// that is listed.
func (ws *weightedWords) possible(all []estimatedRow, possible func(missing []string) bool, oldest []int64) []Row {
	judge := ws.judge(possible)
	rows := make([]Row, 0, len(all))
	for _, row := range all {
		for i, seq := range oldest {
			if row.Seq < seq {
				row.words |= 1 << i
			}
		}
		if judge(row.words) {
			rows = append(rows, row.Row)
		}
	}
	return rows
}

// judge returns a function that reports whether a row with some words, bit by number, may be an
// answer.
func (ws *weightedWords) judge(possible func(missing []string) bool) func(words uint64) bool {
	if possible == nil {
		return func(uint64) bool { return true }
	}
	known := map[uint64]bool{}
	return func(words uint64) bool {
		is, judged := known[words]
		if !judged {
			var missing []string
			for i, stem := range ws.stems {
				if words&(1<<i) == 0 {
					missing = append(missing, stem)
				}
			}
			is = possible(missing)
			known[words] = is
		}
		return is
	}
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
	judge := words.judge(m.Possible)
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
		r.RuledOut = !judge(has)
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
