package store

import (
	"context"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"
)

// Check has SQLite go over its file, and the full-text indexes over their rows.
func (e sqlite) Check(ctx context.Context, c Conn) (facts []Fact, faults []string, err error) {
	var engine, schema string
	if err := c.QueryRowContext(ctx, `SELECT sqlite_version(), (SELECT user_version FROM pragma_user_version)`).Scan(&engine, &schema); err != nil {
		return nil, nil, err
	}
	facts = []Fact{{"file", e.name}, {"engine", "SQLite " + engine}, {"schema", schema}}
	const remedy = "put back a copy of the file, or copy what can be read into a new store (memory-remember store copy)"
	if err := each(ctx, c, `PRAGMA quick_check(5)`, nil, func(scan func(...any) error) error {
		var verdict string
		err := scan(&verdict)
		if verdict != "ok" {
			faults = append(faults, fmt.Sprintf("the file is damaged (%s): %s", verdict, remedy))
		}
		return err
	}); err != nil {
		return facts, faults, err
	}
	for _, table := range []string{entriesTable.Name, turnsTable.Name} {
		_, err := c.ExecContext(ctx, `INSERT INTO `+table+`_fts (`+table+`_fts, rank) VALUES ('integrity-check', 1)`)
		switch {
		case isCode(err, sqlite3.SQLITE_READONLY):
			facts = append(facts, Fact{"words of " + table, "not checked, for the file cannot be written"})
		case isCode(err, sqlite3.SQLITE_CORRUPT):
			faults = append(faults, fmt.Sprintf("the full-text index does not agree with the rows of %s: %s", table, remedy))
		case err != nil:
			return facts, faults, err
		default:
			facts = append(facts, Fact{"words of " + table, "agree with the rows"})
		}
	}
	return facts, faults, nil
}
