package store

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// applicationID marks a database as ours, in its header.
const applicationID = 0x77686e63 // "whnc"

//go:embed schema1.sql
var schema1 string

//go:embed schema2.sql
var schema2 string

//go:embed schema3.sql
var schema3 string

//go:embed schema4.sql
var schema4 string

// migrations returns the statements that bring a database from version i to i + 1. Published ones
// never change.
func migrations() []string { return []string{schema1, schema2, schema3, schema4} }

// indexedSince is the first version in which the program splits and stems the indexed words.
const indexedSince = 3

// schemaVersion returns the version of a database, 0 if it is empty. It is an error if another
// program or a newer version made it.
func (c Conn) schemaVersion(ctx context.Context, migrations []string) (v int, err error) {
	var id, tables int
	// A database of ours is known by its header, the version first: another process may make it.
	_, err = c.get(ctx, `PRAGMA user_version`, nil, &v)
	if err == nil {
		_, err = c.get(ctx, `PRAGMA application_id`, nil, &id)
	}
	if err == nil && id == applicationID {
		return v, newer(v, migrations)
	}
	_, err = c.get(ctx, `SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)`, nil, &v, &id, &tables)
	switch {
	case err != nil:
		return 0, err
	case id != applicationID && (tables > 0 || id != 0 || v != 0):
		return 0, ErrForeign
	}
	return v, newer(v, migrations)
}

// newer returns an error for a version that is not known yet.
func newer(v int, migrations []string) error {
	if v > len(migrations) {
		return fmt.Errorf("%w (its schema is %d, known is %d)", ErrNewer, v, len(migrations))
	}
	return nil
}

// errOlder reports a database that must be migrated first.
var errOlder = errors.New("it was written by an older version")

// checkSchema returns an error unless this version can read the database.
func (s *Store) checkSchema(ctx context.Context, migrations []string) error {
	v, err := s.conn.schemaVersion(ctx, migrations)
	switch {
	case err != nil:
		return err
	case v == 0:
		return ErrNone
	case v == indexedSince-1: // it can be searched as it is
		s.conn.engine = sqlite{name: s.conn.engine.(sqlite).name, old: true}
	case v < len(migrations):
		return fmt.Errorf("%w: its schema is %d, and cannot be brought to %d: see its permissions", errOlder, v, len(migrations))
	}
	return nil
}

// prepare creates or migrates the schema. Within the transaction it reads the version again, for
// another process may have been faster.
func (s *Store) prepare(ctx context.Context, migrations []string) error {
	v, err := s.conn.schemaVersion(ctx, migrations)
	if err != nil {
		return err
	}
	// A restored copy may have lost the mode.
	if err := s.setWAL(ctx); err != nil {
		return err
	}
	if v == len(migrations) {
		unindexed := false
		if v >= indexedSince {
			unindexed, err = s.conn.get(ctx, `SELECT 1 FROM unindexed LIMIT 1`, nil, new(int))
		}
		if err != nil || !unindexed {
			return err
		}
	}
	return s.write(ctx, LearningsLock, func(tx Conn) error {
		v, err := tx.schemaVersion(ctx, migrations)
		if err != nil {
			return err
		}
		for ; v < len(migrations); v++ {
			if err := tx.exec(ctx, migrations[v]); err != nil {
				return fmt.Errorf("migrate to schema %d: %w", v+1, err)
			}
		}
		if err := tx.exec(ctx, fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, applicationID, v)); err != nil || v < indexedSince {
			return err
		}
		return indexRemaining(ctx, tx)
	})
}

// indexRemaining indexes the rows that a migration, or a program of an older version, has left.
func indexRemaining(ctx context.Context, tx Conn) error {
	for _, table := range []Table{entriesTable, turnsTable} {
		for n := 1; n > 0; {
			var err error
			if n, err = tx.index(ctx, table, `seq IN (SELECT seq FROM unindexed WHERE kind = $1 ORDER BY seq LIMIT $2)`, table.Name, maxIndexRows); err != nil {
				return err
			}
		}
	}
	return nil
}

// setWAL sets the mode in which readers and writers do not wait for each other. If several processes
// set it at the same time, SQLite fails immediately in all but one, whatever the busy timeout.
func (s *Store) setWAL(ctx context.Context) error {
	for start := time.Now(); ; {
		var mode string
		err := s.db.QueryRowContext(ctx, `PRAGMA journal_mode = WAL`).Scan(&mode)
		if !isCode(err, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) || time.Since(start) > BusyTimeout {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(2 * time.Millisecond):
		}
	}
}
