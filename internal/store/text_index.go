package store

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"whence/internal/text"
)

// Table is a table with a full-text index.
type Table struct {
	Name    string
	Columns []string  // of the index
	Weights []float64 // of these for BM25, with one decimal
}

// parts is a column of the full-text index alone: the parts of identifiers in all other columns.
const parts = "parts"

// Text holds the words of a row: the stems of each column.
type Text struct {
	Seq   int64
	Stems [][]string
}

// maxIndexRows is how many rows are read and indexed at a time.
const maxIndexRows = 500

// texts calls take for the words of the rows of a table that a condition selects.
func (c Conn) texts(ctx context.Context, table Table, where string, arguments []any, take func(Text) error) error {
	stemmer := text.Stemmer{}
	stored := slices.DeleteFunc(slices.Clone(table.Columns), func(column string) bool { return column == parts })
	columns := make([]string, len(stored))
	return c.Each(ctx, `SELECT seq, coalesce(`+strings.Join(stored, `, ''), coalesce(`)+`, '') FROM `+table.Name+` WHERE `+where, arguments, func(row Scanner) error {
		var t Text
		into := []any{&t.Seq}
		for i := range columns {
			into = append(into, &columns[i])
		}
		if err := row.Scan(into...); err != nil {
			return err
		}
		t.Stems = table.stems(stemmer, columns)
		return take(t)
	})
}

// stems returns the stems of a row's columns.
func (t Table) stems(stemmer text.Stemmer, columns []string) (stems [][]string) {
	for _, column := range columns {
		stems = append(stems, stemmer.Stems(column))
	}
	if len(columns) < len(t.Columns) {
		stems = append(stems, stemmer.Parts(strings.Join(columns, " ")))
	}
	return stems
}

// index updates the full-text index for the rows of a table that a condition selects.
func (c Conn) index(ctx context.Context, table Table, where string, arguments ...any) error {
	var rows []Text
	if err := c.texts(ctx, table, where, arguments, func(t Text) error {
		rows = append(rows, t)
		return nil
	}); err != nil {
		return err
	}
	return c.engine.Index(ctx, c, table, rows)
}

// Compact makes searches as fast as they can be, and frees disk space. It takes time, and is worth it
// when thousands of learnings and turns have come.
func (s *Store) Compact(ctx context.Context) error {
	return errors.Join(s.compact(ctx, entriesTable), s.compact(ctx, turnsTable))
}

func (s *Store) compact(ctx context.Context, table Table) error {
	return s.explained(s.conn.engine.Compact(ctx, s, s.conn, table))
}

// changes are learnings that a transaction has written, by the number of their row.
type changes map[int64]Text

// add adds a learning. One without stems, or that is written again, is read when it is indexed.
func (c *changes) add(t Text) {
	if _, again := (*c)[t.Seq]; again || len(*c) >= maxIndexRows {
		t.Stems = nil
	}
	(*c)[t.Seq] = t
}

// indexChanged indexes the learnings that the transaction has written.
func (c Conn) indexChanged(ctx context.Context) error {
	if c.changed == nil || len(*c.changed) == 0 {
		return nil
	}
	var known []Text
	var unread []int64
	for _, seq := range slices.Sorted(maps.Keys(*c.changed)) {
		if t := (*c.changed)[seq]; t.Stems != nil {
			known = append(known, t)
		} else {
			unread = append(unread, seq)
		}
	}
	clear(*c.changed)
	if err := c.engine.Index(ctx, c, entriesTable, known); err != nil {
		return err
	}
	for part := range slices.Chunk(unread, maxIndexRows) {
		if err := c.index(ctx, entriesTable, `seq `+c.engine.AnyOf(1), c.engine.List(part)); err != nil {
			return err
		}
	}
	return nil
}
