package store

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// applicationID marks a database as ours, in its header.
const applicationID = 0x77686e63 // "whnc"

// schema makes an empty database ours.
//
//go:embed schema.sql
var schema string

// schemaNumber is the version of the schema. It changes with it once a version has been published.
const schemaNumber = 1

// schemaVersion returns the version of a database, 0 if it is empty. It is an error if another
// program or a newer version made it.
func (c Conn) schemaVersion(ctx context.Context) (v int, err error) {
	var id, tables int
	// A database of ours is known by its header, the version first: another process may make it.
	_, err = c.get(ctx, `PRAGMA user_version`, nil, &v)
	if err == nil {
		_, err = c.get(ctx, `PRAGMA application_id`, nil, &id)
	}
	if err == nil && id == applicationID {
		return v, newer(v)
	}
	_, err = c.get(ctx, `SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)`, nil, &v, &id, &tables)
	switch {
	case err != nil:
		return 0, err
	case id != applicationID && (tables > 0 || id != 0 || v != 0):
		return 0, ErrForeign
	}
	return v, newer(v)
}

// newer returns an error for a version that is not known yet.
func newer(v int) error {
	if v > schemaNumber {
		return fmt.Errorf("%w (its schema is %d, known is %d)", ErrNewer, v, schemaNumber)
	}
	return nil
}

// checkSchema returns an error unless there is a schema that can be read.
func (s *Store) checkSchema(ctx context.Context) error {
	v, err := s.conn.schemaVersion(ctx)
	if err == nil && v == 0 {
		return ErrNone
	}
	return err
}

// prepare makes the schema of an empty database. Within the transaction it reads the version again, for
// another process may have been faster.
func (s *Store) prepare(ctx context.Context) error {
	v, err := s.conn.schemaVersion(ctx)
	if err != nil {
		return err
	}
	// A restored copy may have lost the mode.
	if err := s.setWAL(ctx); err != nil || v == schemaNumber {
		return err
	}
	return s.write(ctx, LearningsLock, func(tx Conn) error {
		v, err := tx.schemaVersion(ctx)
		if err != nil || v == schemaNumber {
			return err
		}
		if err := tx.exec(ctx, schema); err != nil {
			return fmt.Errorf("make the schema: %w", err)
		}
		return tx.exec(ctx, fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, applicationID, schemaNumber))
	})
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
