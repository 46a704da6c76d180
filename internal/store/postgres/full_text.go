package postgres

import (
	"context"
	"database/sql"
	"math"
	"slices"
	"strconv"
	"strings"

	"whence/internal/store"
)

// PostgreSQL accepts stems up to 2046 bytes, positions up to 16383, and at most a megabyte a row.
// Stems of more than maxStemBytes are not words to search for.
const (
	maxStemBytes   = 1000
	lastPosition   = 16383
	maxVectorBytes = 900_000
)

func (engine) Index(ctx context.Context, tx store.Conn, table store.Table, rows []store.Text) error {
	if len(rows) == 0 {
		return nil
	}
	seqs, vectors, lengths := vectors(table, rows)
	_, err := tx.ExecContext(ctx, `SELECT set_words_of_`+table.Name+`($1, $2, $3)`, seqs, vectors, lengths)
	if err == nil && slices.ContainsFunc(seqs, doubles) {
		err = refreshStatistics(ctx, tx)
	}
	return err
}

// doubles reports whether a new table has twice as many rows with a row of this number as when it last
// said so. Autovacuum comes only after a minute, and without statistics the planner takes a team for a
// few rows: it reads all of them to find one.
func doubles(seq int64) bool {
	const first, last = 64, 1 << 16
	return first <= seq && seq <= last && seq&(seq-1) == 0
}

// vectors returns the numbers of rows, their vectors and their numbers of words, as arguments.
func vectors(table store.Table, rows []store.Text) (seqs []int64, texts []string, lengths []int32) {
	for _, row := range rows {
		text, length := vector(table, row)
		seqs, texts, lengths = append(seqs, row.Seq), append(texts, text), append(lengths, length)
	}
	return seqs, texts, lengths
}

// vector returns the tsvector of a row, as text, and its number of words. The position of a stem is
// ten times its count, weighted by column; weights have one decimal, as in SQLite.
func vector(table store.Table, row store.Text) (text string, words int32) {
	count := map[string]int{} // in tenths, by stem
	for i, column := range row.Stems {
		tenths := int(math.Round(10 * table.Weights[i]))
		for _, stem := range column {
			words++
			if len(stem) <= maxStemBytes {
				count[stem] += tenths
			}
		}
	}
	var b strings.Builder
	for stem, tenths := range count {
		if b.Len() > maxVectorBytes {
			break
		}
		b.WriteString(quoted(stem) + ":" + strconv.Itoa(min(tenths, lastPosition)) + " ")
	}
	return b.String(), words
}

// quoted returns a stem as the text of a tsvector has it.
func quoted(stem string) string {
	return "'" + strings.NewReplacer(`'`, `''`, `\`, `\\`).Replace(stem) + "'"
}

// Words gets both in one round trip.
func (engine) Words(ctx context.Context, c store.Conn, table store.Table, asked []store.Word) (map[string]store.Holders, store.Size, error) {
	var size store.Size
	found := map[string]store.Holders{}
	err := c.Each(ctx, `SELECT NULL, rows, words FROM size($1) UNION ALL SELECT stem, rows, 0 FROM frequencies($1, $2)`, []any{table.Name, stems(asked)}, func(row store.Scanner) error {
		var stem sql.NullString
		var n, words float64
		err := row.Scan(&stem, &n, &words)
		switch {
		case stem.Valid:
			found[stem.String] = store.Holders{Rows: n}
		case n > 0:
			size = store.Size{Rows: int(n), Words: words / n}
		}
		return err
	})
	return found, size, err
}

func stems(words []store.Word) []string {
	stems := make([]string, len(words))
	for i, w := range words {
		stems[i] = w.Stem
	}
	return stems
}

func (engine) Best(ctx context.Context, c store.Conn, m store.Match) (best func(most int) ([]store.Row, error), err error) {
	// A repeated word ranks like one of twice the rarity.
	var rank []string
	var rarities []float64
	for _, w := range m.Words {
		if i := slices.Index(rank, w.Stem); i >= 0 {
			rarities[i] += w.Rarity
		} else {
			rank, rarities = append(rank, w.Stem), append(rarities, w.Rarity)
		}
	}
	alone, paired := m.Find, []store.Word(nil)
	var project any
	if m.Everywhere {
		alone, paired = divide(m.Find)
	} else {
		project = m.Project
	}
	var newest any // all
	if m.Rows < minRanked {
		newest = m.Rows // scoring thousands of others would hold up who stores a learning
	}
	var rows []store.Row
	limit := 0 // of rows: if they are fewer, they are all
	return func(most int) ([]store.Row, error) {
		if most == 0 {
			most = math.MaxInt
		}
		if len(rows) == limit && limit < most {
			asked := max(most, minRanked)
			found, err := store.Collect(ctx, c, func(row store.Scanner) (r store.Row, err error) {
				err = row.Scan(&r.Seq, &r.Score)
				return r, err
			}, `SELECT seq, score FROM ranked($1, $2, $3, $4, $5, $6, $7, $8, $9)`, m.Table.Name, stems(alone), stems(paired), project, rank, rarities, m.Size.Words, newest, asked)
			if err != nil {
				return nil, err
			}
			rows, limit = found, asked
		}
		return slices.Clone(rows[:min(len(rows), most)]), nil
	}, nil
}

// minRanked is how many rows are requested at least: the server scores all rows for a few, too.
const minRanked = 250

// Rows with one of the rarest words are ranked, as many as maxAlone together; of the other words a row
// must have two.
const (
	maxAlone  = 3000
	maxPaired = 12
)

// divide divides words, the best first, into those that a row may have alone and the others.
func divide(words []store.Word) (alone, paired []store.Word) {
	rows := 0
	for i, w := range words {
		if rows += w.Rows; rows > maxAlone && i > 0 {
			return words[:i], words[i:min(len(words), i+maxPaired)]
		}
	}
	return words, nil
}
