package store

import (
	"context"
	"database/sql"
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

// migrations bring a database from version i to i + 1. One that has been published is
// never changed.
func migrations() []string { return []string{schema1, schema2, schema3} }

// indexedSince is the version from which on the program cuts the words of the full-text index.
const indexedSince = 3

// querier is a database, or a transaction.
type querier interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

// version reads what the header says: the version of the schema, and whether the
// database is ours or has nothing in it.
func version(ctx context.Context, q querier) (version int, ours bool, err error) {
	var id, tables int
	err = q.QueryRowContext(ctx, `SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)`).Scan(&version, &id, &tables)
	return version, id == applicationID || tables == 0 && id == 0 && version == 0, err
}

// known is the version of a database that is ours, and not newer than the migrations.
func known(ctx context.Context, q querier, migrations []string) (v int, err error) {
	v, ours, err := version(ctx, q)
	switch {
	case err != nil:
		return 0, err
	case !ours:
		return 0, ErrForeign
	case v > len(migrations):
		return 0, fmt.Errorf("%w (its schema is %d, known is %d)", ErrNewer, v, len(migrations))
	}
	return v, nil
}

// errOlder is a database that is still to be migrated.
var errOlder = errors.New("it was written by an older version")

// check returns an error unless this version can read the database.
func (s *Store) check(ctx context.Context, migrations []string) error {
	v, err := known(ctx, s.db, migrations)
	switch {
	case err != nil:
		return err
	case v == 0:
		return ErrNone
	case v == indexedSince-1: // it can be searched as it is
		*s = *New(s.db, sqlite{name: s.engine.(sqlite).name, old: true})
	case v < len(migrations):
		return fmt.Errorf("%w: its schema is %d, and cannot be brought to %d: see its permissions", errOlder, v, len(migrations))
	}
	return nil
}

// prepare makes or migrates the schema. The version is read again within the
// transaction: another process may have been faster.
func (s *Store) prepare(ctx context.Context, migrations []string) error {
	v, err := known(ctx, s.db, migrations)
	if err != nil {
		return err
	}
	// A copy that was put back may have lost the mode in which readers never wait.
	if err := s.setWAL(ctx); err != nil {
		return err
	}
	if v == len(migrations) {
		var left bool
		if v >= indexedSince {
			err = s.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM unindexed)`).Scan(&left)
		}
		if err != nil || !left {
			return err
		}
	}
	return s.write(ctx, Learnings, func(tx Conn) error {
		v, err := known(ctx, tx, migrations)
		if err != nil {
			return err
		}
		for ; v < len(migrations); v++ {
			if _, err := tx.ExecContext(ctx, migrations[v]); err != nil {
				return fmt.Errorf("migrate to schema %d: %w", v+1, err)
			}
		}
		if _, err := tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, applicationID, v)); err != nil {
			return err
		}
		if v < indexedSince {
			return nil
		}
		return indexLeft(ctx, tx)
	})
}

// indexLeft indexes what a migration, or a program of an older version, has left to do.
func indexLeft(ctx context.Context, tx Conn) error {
	for _, table := range []Table{entriesTable, turnsTable} {
		for {
			n, err := tx.index(ctx, table, `seq IN (SELECT seq FROM unindexed WHERE kind = $1 ORDER BY seq LIMIT $2)`, table.Name, indexedAtOnce)
			if err != nil {
				return err
			}
			if n == 0 {
				break
			}
		}
	}
	return nil
}

// setWAL sets the mode in which readers and writers do not wait for each other. Of
// processes that set it at the same time, SQLite tells all but one at once that they are
// in the way, whatever the busy timeout: so this is where they wait.
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
