package store

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
)

// Check runs SQLite's own check, and compares the full-text indexes with their rows.
func (e sqlite) Check(ctx context.Context, c Conn) (facts []Fact, faults []string, err error) {
	var engine, schema string
	if _, err := c.get(ctx, `SELECT sqlite_version(), (SELECT user_version FROM pragma_user_version)`, nil, &engine, &schema); err != nil {
		return nil, nil, err
	}
	facts = []Fact{{"file", e.name}, {"engine", "SQLite " + engine}, {"schema", schema}}
	const remedy = "put back a copy of the file, or copy what can be read into a new store (memory-remember store copy)"
	verdicts, err := Collect(ctx, c, value[string], `PRAGMA quick_check(5)`)
	if err != nil {
		return facts, nil, err
	}
	for _, verdict := range verdicts {
		if verdict != "ok" {
			faults = append(faults, fmt.Sprintf("the file is damaged (%s): %s", verdict, remedy))
		}
	}
	for _, table := range []Table{entriesTable, turnsTable} {
		agree, err := wordsAgree(ctx, c, table)
		switch {
		case err != nil:
			return facts, faults, err
		case agree:
			facts = append(facts, Fact{"words of " + table.Name, "agree with the rows"})
		default:
			faults = append(faults, fmt.Sprintf("the full-text index does not agree with the rows of %s: %s", table.Name, remedy))
		}
	}
	return facts, faults, nil
}

// wordsAgree reports whether the full-text index has the words of all rows.
func wordsAgree(ctx context.Context, c Conn, table Table) (agree bool, err error) {
	sum := func(columns []string) [sha256.Size]byte { return sha256.Sum256([]byte(strings.Join(columns, "\n"))) }
	held := map[int64][sha256.Size]byte{}
	columns := make([]string, len(table.Columns))
	into := []any{new(int64)}
	for i := range columns {
		into = append(into, &columns[i])
	}
	if err := c.Each(ctx, `SELECT rowid, `+strings.Join(table.Columns, ", ")+` FROM `+table.Name+`_fts`, nil, func(row Scanner) error {
		err := row.Scan(into...)
		held[*into[0].(*int64)] = sum(columns)
		return err
	}); err != nil {
		return false, err
	}
	agree = true
	err = c.texts(ctx, table, `true`, nil, func(t Text) error {
		for i, stems := range t.Stems {
			columns[i] = strings.Join(stems, " ")
		}
		agree = agree && held[t.Seq] == sum(columns)
		delete(held, t.Seq)
		return nil
	})
	return agree && len(held) == 0, err
}
