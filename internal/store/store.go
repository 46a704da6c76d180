package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Conn runs statements in a database, or in one transaction of it.
type Conn struct {
	runner
	engine  Engine
	changed *changes // learnings written by a transaction whose words are not indexed yet
}

// runner is a *sql.DB or a *sql.Tx.
type runner interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

// Scanner is a *sql.Row or *sql.Rows.
type Scanner interface{ Scan(...any) error }

func (c Conn) exec(ctx context.Context, statement string, arguments ...any) error {
	_, err := c.ExecContext(ctx, statement, arguments...)
	return err
}

// execCount runs a statement and returns how many rows it changed.
func (c Conn) execCount(ctx context.Context, statement string, arguments ...any) (int64, error) {
	result, err := c.ExecContext(ctx, statement, arguments...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// get reads the first row of a query; found is false if there is none.
func (c Conn) get(ctx context.Context, query string, arguments []any, into ...any) (found bool, err error) {
	err = c.QueryRowContext(ctx, query, arguments...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Each calls take for each row of a query.
func (c Conn) Each(ctx context.Context, query string, arguments []any, take func(Scanner) error) error {
	rows, err := c.QueryContext(ctx, query, arguments...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := take(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Collect returns what read makes of each row of a query.
func Collect[T any](ctx context.Context, c Conn, read func(Scanner) (T, error), query string, arguments ...any) (all []T, err error) {
	err = c.Each(ctx, query, arguments, func(row Scanner) error {
		item, err := read(row)
		all = append(all, item)
		return err
	})
	return all, err
}

// value reads the only column of a row.
func value[T any](row Scanner) (v T, err error) {
	err = row.Scan(&v)
	return v, err
}

// Store is an open database. It may be used by several goroutines.
type Store struct {
	db   *sql.DB // nil within a transaction
	conn Conn
}

// New returns the store in an open database that has the schema.
func New(db *sql.DB, engine Engine) *Store {
	return &Store{db: db, conn: Conn{runner: db, engine: engine}}
}

// Close closes the store. What was acknowledged before is on the disk after it.
func (s *Store) Close() error { return s.db.Close() }

// Identity returns the identity of the store and the login.
func (s *Store) Identity(ctx context.Context) (Identity, error) {
	id, err := s.conn.engine.Identity(ctx, s.conn)
	return id, wrap("ask which store it is", s.explained(err))
}

func (s *Store) explained(err error) error {
	if err == nil {
		return nil
	}
	return s.conn.engine.Explain(err)
}

// wrap adds to an error what failed; it returns nil for nil.
func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// maxAttempts is how often a transaction runs if others get in its way.
const maxAttempts = 10

// write runs a transaction under a lock. It may run more than once.
func (s *Store) write(ctx context.Context, lock Lock, run func(Conn) error) error {
	if s.db == nil {
		if err := s.conn.engine.Lock(ctx, s.conn, lock); err != nil {
			return err
		}
		return run(s.conn)
	}
	for attempt := 1; ; attempt++ {
		err := s.try(ctx, lock, run)
		if err == nil || !s.conn.engine.Retryable(err) || attempt == maxAttempts {
			return s.explained(err)
		}
	}
}

func (s *Store) try(ctx context.Context, lock Lock, run func(Conn) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit it does nothing
	c := Conn{tx, s.conn.engine, &changes{}}
	if err := c.engine.Lock(ctx, c, lock); err != nil {
		return err
	}
	if err := run(c); err != nil {
		return err
	}
	if err := c.indexChanged(ctx); err != nil {
		return err
	}
	return tx.Commit()
}

// Once runs changes of a store in one transaction, unless it has run under the same key
// before; done reports whether it ran now. If run fails, nothing changes. The store that run
// gets must not be closed, nor used for [Store.Prune].
func (s *Store) Once(ctx context.Context, key string, run func(*Store) error) (done bool, err error) {
	err = s.Together(ctx, func(tx *Store) error {
		n, err := tx.conn.execCount(ctx, `INSERT INTO delivered (key, at) VALUES ($1, $2) ON CONFLICT DO NOTHING`, key, timeText(time.Now()))
		if done = n > 0; err != nil || !done {
			return err
		}
		return run(tx)
	})
	return done && err == nil, err
}

// Together runs changes of a store in one transaction, as Once does.
func (s *Store) Together(ctx context.Context, run func(*Store) error) error {
	return s.write(ctx, LearningsLock, func(tx Conn) error { return run(&Store{conn: tx}) })
}

// ForgetDelivered deletes the keys of [Store.Once] from before a time, and returns how many.
// An operation under one of these would run again.
func (s *Store) ForgetDelivered(ctx context.Context, before time.Time) (n int, err error) {
	err = s.write(ctx, NoLock, func(tx Conn) error {
		deleted, err := tx.execCount(ctx, `DELETE FROM delivered WHERE at < $1`, timeText(before))
		n = int(deleted)
		return err
	})
	return n, err
}
