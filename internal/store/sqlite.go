package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"
)

// sqlite is the engine of a file.
type sqlite struct{ name string }

// AnyOf reads a list as JSON.
func (sqlite) AnyOf(n int) string { return fmt.Sprintf(`IN (SELECT value FROM json_each($%d))`, n) }

func (sqlite) List(values any) any {
	src, _ := json.Marshal(values) // of integers or strings
	return string(src)
}

// Values omits the numbers: the driver would search all arguments for each.
func (sqlite) Values(rows, columns int) string {
	row := `(?` + strings.Repeat(`, ?`, columns-1) + `)`
	return row + strings.Repeat(`, `+row, rows-1)
}

func (sqlite) OnConflict(key string) string { return `ON CONFLICT (` + key + `)` }

func (sqlite) LowerName() string { return `lower(e.name)` }

// Lock does nothing: transactions are immediate, so that one at a time writes.
func (sqlite) Lock(context.Context, Conn, Lock) error { return nil }

func (sqlite) NextRevision() string {
	return `(SELECT 1 + max((SELECT coalesce(max(revision), 0) FROM entries), (SELECT coalesce(max(revision), 0) FROM forgotten)))`
}

// Identity returns the last change alone.
func (e sqlite) Identity(ctx context.Context, c Conn) (id Identity, err error) {
	_, err = c.get(ctx, `SELECT `+e.NextRevision()+` - 1`, nil, &id.Revision)
	return id, err
}

// Retryable returns false: writers wait for each other.
func (sqlite) Retryable(error) bool { return false }

func (sqlite) Own() string { return `true` }

func (sqlite) Index(ctx context.Context, tx Conn, table Table, rows []Text) error {
	statement := `INSERT OR REPLACE INTO ` + table.Name + `_fts (rowid, ` + strings.Join(table.Columns, ", ") + `)
		SELECT $1, ` + numbered(2, len(table.Columns)) + ` WHERE EXISTS (SELECT 1 FROM ` + table.Name + ` WHERE seq = $1)`
	for _, row := range rows {
		arguments := []any{row.Seq}
		for _, stems := range row.Stems {
			arguments = append(arguments, strings.Join(stems, " "))
		}
		if err := tx.exec(ctx, statement, arguments...); err != nil {
			return err
		}
	}
	return nil
}

// numbered returns a list of n numbered arguments.
func numbered(first, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("$%d", first+i)
	}
	return strings.Join(all, ", ")
}

func (e sqlite) Words(ctx context.Context, c Conn, table Table, asked []Word) (found map[string]Holders, size Size, err error) {
	if _, err := c.get(ctx, `SELECT coalesce(max(seq), 0) FROM `+table.Name, nil, &size.Rows); err != nil {
		return nil, size, err
	}
	found = map[string]Holders{}
	if size.Words, err = e.averageWords(ctx, c, table); err != nil {
		return nil, size, err
	}
	if size.Rows <= maxListedRows {
		err = e.newest(ctx, c, table, maxListedRows+1, stemsOf(asked), []string{""}, func(stem string, seqs [][]int64) {
			found[stem] = Holders{float64(len(seqs[0])), seqs[0]}
		})
		return found, size, err
	}
	fts := table.Name + `_fts`
	err = c.Each(ctx, `SELECT value, (SELECT count(*) FROM `+fts+` WHERE `+fts+` MATCH `+quotedValue("")+`) FROM json_each($1)`, []any{e.List(stemsOf(asked))}, func(row Scanner) error {
		var stem string
		var n float64
		err := row.Scan(&stem, &n)
		found[stem] = Holders{Rows: n}
		return err
	})
	return found, size, err
}

// maxListedRows is the size of a table of which the rows of each word are listed when they are counted.
// [sqlite.Best] needs the list, and in a larger table only its newest part.
const maxListedRows = maxRows

// averageWords returns the number of words of an average row.
func (e sqlite) averageWords(ctx context.Context, c Conn, table Table) (float64, error) {
	var record []byte // the number of rows, then that of words in each column (SQLite's fts5_index.c)
	if _, err := c.get(ctx, `SELECT block FROM `+table.Name+`_fts_data WHERE id = 1`, nil, &record); err != nil {
		return 0, err
	}
	rows, record := varint(record)
	words := int64(0)
	for range table.Columns {
		var n int64
		n, record = varint(record)
		words += n
	}
	return float64(words) / float64(max(rows, 1)), nil
}

// varint reads an integer of SQLite's file format, 0 if there is none. It returns the rest.
func varint(src []byte) (n int64, rest []byte) {
	for i, b := range src {
		if i == 8 {
			return n<<8 | int64(b), src[i+1:]
		}
		n = n<<7 | int64(b&0x7f)
		if b < 0x80 {
			return n, src[i+1:]
		}
	}
	return 0, nil
}

// mergedPages is how much of the full-text index is rewritten in one transaction.
const mergedPages = 500

// Compact rewrites the full-text index in steps until it is one segment, which has nothing of deleted
// rows; a search looks for each word in each segment. If a quarter of the file is unused, it is
// freed, unless other processes are at work.
func (e sqlite) Compact(ctx context.Context, s *Store, c Conn, table Table) error {
	merge := `INSERT INTO ` + table.Name + `_fts (` + table.Name + `_fts, rank) VALUES ('merge', $1)`
	for pages := -mergedPages; ; pages = mergedPages { // negative: begin with all of it
		var before, after int
		err := s.write(ctx, NoLock, func(tx Conn) error {
			const changes = `SELECT total_changes()`
			if _, err := tx.get(ctx, changes, nil, &before); err != nil {
				return err
			}
			if err := tx.exec(ctx, merge, pages); err != nil {
				return err
			}
			_, err := tx.get(ctx, changes, nil, &after)
			return err
		})
		if err != nil {
			return err
		}
		if after-before < 2 { // nothing was left to do (SQLite documentation)
			break
		}
	}
	var free, pages int
	if _, err := c.get(ctx, `SELECT (SELECT freelist_count FROM pragma_freelist_count), (SELECT page_count FROM pragma_page_count)`, nil, &free, &pages); err != nil || 4*free < pages {
		return err
	}
	err := c.exec(ctx, `VACUUM`)
	if isCode(err, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) {
		return nil
	}
	return err
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
