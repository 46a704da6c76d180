package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"
)

// sqlite is the engine of a file.
type sqlite struct {
	name string
	old  bool // the full-text index has schema 2, which split and stemmed words itself
}

// AnyOf reads a list as JSON.
func (sqlite) AnyOf(n int) string { return fmt.Sprintf(`IN (SELECT value FROM json_each($%d))`, n) }

func (sqlite) List(values any) any {
	src, _ := json.Marshal(values) // of integers or strings
	return string(src)
}

// Values leaves the numbers out: the driver looks each up among all arguments.
func (sqlite) Values(rows, columns int) string {
	row := `(?` + strings.Repeat(`, ?`, columns-1) + `)`
	return row + strings.Repeat(`, `+row, rows-1)
}

func (sqlite) OnConflict(key string) string { return `ON CONFLICT (` + key + `)` }

func (sqlite) LowerName() string { return `lower(e.name)` }

// Lock does nothing: transactions that write are immediate, and one at a time.
func (sqlite) Lock(context.Context, Conn, Writing) error { return nil }

func (sqlite) NextRevision() string {
	return `(SELECT 1 + max((SELECT coalesce(max(revision), 0) FROM entries), (SELECT coalesce(max(revision), 0) FROM forgotten)))`
}

// Identity is the last change alone.
func (e sqlite) Identity(ctx context.Context, c Conn) (is Identity, err error) {
	err = c.QueryRowContext(ctx, `SELECT `+e.NextRevision()+` - 1`).Scan(&is.Revision)
	return is, err
}

// Retryable is always false: writers wait for each other.
func (sqlite) Retryable(error) bool { return false }

// Own is all.
func (sqlite) Own() string { return `true` }

func (sqlite) Index(ctx context.Context, tx Conn, table Table, rows []Text) error {
	statement := `INSERT OR REPLACE INTO ` + table.Name + `_fts (rowid, ` + strings.Join(table.Columns, ", ") + `)
		SELECT $1, ` + numbered(2, len(table.Columns)) + ` WHERE EXISTS (SELECT 1 FROM ` + table.Name + ` WHERE seq = $1)`
	for _, row := range rows {
		arguments := []any{row.Seq}
		for _, stems := range row.Stems {
			arguments = append(arguments, strings.Join(stems, " "))
		}
		if _, err := tx.ExecContext(ctx, statement, arguments...); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM unindexed WHERE kind = $1 AND seq = $2`, table.Name, row.Seq); err != nil {
			return err
		}
	}
	return nil
}

// numbered lists n arguments, the first of which has a number.
func numbered(first, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("$%d", first+i)
	}
	return strings.Join(all, ", ")
}

func (e sqlite) Words(ctx context.Context, c Conn, table Table, asked []Word) (map[string]float64, Size, error) {
	var size Size
	if err := c.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM `+table.Name).Scan(&size.Rows); err != nil {
		return nil, size, err
	}
	frequency := map[string]float64{}
	if e.old {
		for _, w := range asked {
			var n float64
			if err := c.QueryRowContext(ctx, `SELECT count(*) FROM `+table.Name+`_fts WHERE `+table.Name+`_fts MATCH $1`, e.expression([]Word{w})).Scan(&n); err != nil {
				return nil, size, err
			}
			frequency[w.Stem] = n
		}
		return frequency, size, nil
	}
	if len(asked) == 0 {
		return frequency, size, nil
	}
	stems := make([]string, len(asked))
	for i, w := range asked {
		stems[i] = w.Stem
	}
	rows, err := c.QueryContext(ctx, `SELECT term, doc FROM `+table.Name+`_words WHERE term `+e.AnyOf(1), e.List(stems))
	if err != nil {
		return nil, size, err
	}
	defer rows.Close()
	for rows.Next() {
		var stem string
		var n float64
		if err := rows.Scan(&stem, &n); err != nil {
			return nil, size, err
		}
		frequency[stem] = n
	}
	if err := rows.Err(); err != nil {
		return nil, size, err
	}
	return frequency, size, nil
}

func (e sqlite) Best(ctx context.Context, c Conn, m Match) ([]Row, error) {
	find := e.expression(m.Find)
	if len(m.Words) > len(m.Find) {
		find = "(" + find + ") AND (" + e.expression(m.Words[len(m.Find):]) + ")"
	}
	weights := make([]string, len(m.Table.Weights))
	for i, w := range m.Table.Weights {
		weights[i] = fmt.Sprintf("%.1f", w)
	}
	name, most := m.Table.Name, m.Most
	if most == 0 {
		most = -1
	}
	rows, err := c.QueryContext(ctx, `SELECT rowid, -rank FROM `+name+`_fts WHERE `+name+`_fts MATCH $1 AND rank MATCH 'bm25(`+strings.Join(weights, ", ")+`)' ORDER BY rank LIMIT $2`, find, most)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []Row
	for rows.Next() {
		var next Row
		if err := rows.Scan(&next.Seq, &next.Score); err != nil {
			return nil, err
		}
		found = append(found, next)
	}
	slices.SortStableFunc(found, func(a, b Row) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Seq, b.Seq)) })
	return found, rows.Err()
}

// expression returns the full-text expression that any of the words satisfies. Each word
// is quoted, so that none is taken for an operator.
func (e sqlite) expression(words []Word) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = `"` + w.Stem + `"`
		if e.old {
			quoted[i] = `"` + w.Text + `"`
		}
	}
	return strings.Join(quoted, " OR ")
}

// mergedPages is how much of the full-text index is rewritten in one transaction.
const mergedPages = 500

// Compact rewrites the full-text index piece by piece, until nothing is left in it of rows
// that have been deleted. It gives unused space of the file back, where it is a quarter or
// more; where others are at work that is left for the next time.
func (e sqlite) Compact(ctx context.Context, s *Store) error {
	for pages := -mergedPages; ; pages = mergedPages { // negative: begin with all of it
		var before, after int
		err := s.write(ctx, Turns, func(tx Conn) error {
			if err := tx.QueryRowContext(ctx, `SELECT total_changes()`).Scan(&before); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO turns_fts (turns_fts, rank) VALUES ('merge', $1)`, pages); err != nil {
				return err
			}
			return tx.QueryRowContext(ctx, `SELECT total_changes()`).Scan(&after)
		})
		if err != nil {
			return err
		}
		if after-before < 2 { // so SQLite tells that there was nothing to do
			break
		}
	}
	var free, pages int
	if err := s.conn.QueryRowContext(ctx, `SELECT (SELECT freelist_count FROM pragma_freelist_count), (SELECT page_count FROM pragma_page_count)`).Scan(&free, &pages); err != nil {
		return err
	}
	if 4*free < pages {
		return nil
	}
	_, err := s.conn.ExecContext(ctx, `VACUUM`)
	if isCode(err, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) {
		return nil
	}
	return err
}

func (e sqlite) Bytes(context.Context, Conn) (int64, error) {
	info, err := os.Stat(e.name)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (e sqlite) Explain(err error) error {
	switch {
	case isCode(err, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN):
		return fmt.Errorf("%s cannot be written, see the permissions of the file and its folder: %w", e.name, err)
	case isCode(err, sqlite3.SQLITE_FULL):
		return fmt.Errorf("there is no room on the disk for %s: %w", e.name, err)
	case isCode(err, sqlite3.SQLITE_BUSY):
		return fmt.Errorf("another process has been writing to %s for more than %s, try again: %w", e.name, BusyTimeout, err)
	case isCode(err, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
		return fmt.Errorf("%s: %w", e.name, ErrDamaged)
	case isCode(err, sqlite3.SQLITE_IOERR):
		return fmt.Errorf("%s cannot be read or written: %w", e.name, err)
	}
	return err
}
