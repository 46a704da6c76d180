package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"
)

// conn runs statements in the database, or in one transaction of it.
type conn struct{ runner }

// runner is a *sql.DB, or a transaction of it.
type runner interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}

// transaction prepares each of its statements once: storing many rows runs the same few again and again.
type transaction struct {
	tx       *sql.Tx
	prepared map[string]*sql.Stmt
}

func (t transaction) prepare(ctx context.Context, statement string) (s *sql.Stmt, err error) {
	s, isPrepared := t.prepared[statement]
	if !isPrepared {
		if s, err = t.tx.PrepareContext(ctx, statement); err == nil {
			t.prepared[statement] = s // closed with the transaction
		}
	}
	return s, err
}

func (t transaction) ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	s, err := t.prepare(ctx, statement)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

func (t transaction) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := t.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

// params are the named parameters of a statement. A slice becomes its JSON, for json_each.
type params map[string]any

func (p params) list() []any {
	all := make([]any, 0, len(p))
	for name, value := range p {
		switch list := value.(type) {
		case []int64, []string:
			src, _ := json.Marshal(list) // cannot fail
			value = string(src)
		case time.Time:
			value = timeText(list)
		}
		all = append(all, sql.Named(name, value))
	}
	return all
}

func (c conn) exec(ctx context.Context, statement string, p params) error {
	_, err := c.count(ctx, statement, p)
	return err
}

// count runs a statement and returns how many rows it changed.
func (c conn) count(ctx context.Context, statement string, p params) (int64, error) {
	result, err := c.ExecContext(ctx, statement, p.list()...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// get reads the first row of a query; found is false if there is none.
func (c conn) get(ctx context.Context, query string, p params, into ...any) (found bool, err error) {
	rows, err := c.QueryContext(ctx, query, p.list()...)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	if !rows.Next() {
		return false, rows.Err()
	}
	if err := rows.Scan(into...); err != nil {
		return false, err
	}
	return true, rows.Close()
}

// each calls take for each row of a query.
func (c conn) each(ctx context.Context, query string, p params, take func(*sql.Rows) error) error {
	rows, err := c.QueryContext(ctx, query, p.list()...)
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

// write runs a transaction, which makes other writers wait. Its errors, like those of conn, are explained once: by the
// exported methods.
func (s *Store) write(ctx context.Context, run func(conn) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit it does nothing
	if err := run(conn{transaction{tx, map[string]*sql.Stmt{}}}); err != nil {
		return err
	}
	return tx.Commit()
}

// wrap explains an error and says what failed; it returns nil for nil.
func (s *Store) wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, s.explain(err))
}

// timeLayout is the form of all times in the database, in UTC. SQLite's own functions read it, and it
// sorts by time.
const timeLayout = "2006-01-02T15:04:05Z"

// timeText returns the column value of a time: NULL for the zero time.
func timeText(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(timeLayout)
}

// parseTime parses the time in a column; without a valid one it returns the zero time.
func parseTime(text sql.NullString) time.Time {
	t, _ := time.Parse(time.RFC3339, text.String)
	return t.UTC()
}

// storedTime returns a time as it is stored; the zero time becomes now.
func storedTime(at time.Time) time.Time {
	if at.IsZero() {
		at = time.Now()
	}
	return at.UTC().Truncate(time.Second)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
