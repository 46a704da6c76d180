package postgres

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// connector connects as [conn].
type connector struct{ driver.Connector }

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	plain, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: plain.(*stdlib.Conn), statements: statements{runs: map[string]int{}}}, nil
}

// conn sends what a transaction only executes together with its next query, or with its end: others
// wait for its locks during each round trip. If a statement fails, the query that it was sent with
// returns the error.
type conn struct {
	*stdlib.Conn
	within     bool      // a transaction
	queue      []*queued // not sent yet
	statements statements
}

// queued is a statement, and the [driver.Result] of its execution. The number of rows sends it.
type queued struct {
	conn      *conn
	ctx       context.Context
	statement string
	arguments []any
	sent      bool
	tag       pgconn.CommandTag
}

func (q *queued) LastInsertId() (int64, error) { return driver.RowsAffected(0).LastInsertId() }

func (q *queued) RowsAffected() (int64, error) {
	var err error
	if !q.sent {
		err = q.conn.flush(q.ctx)
	}
	return q.tag.RowsAffected(), err
}

// BeginTx begins a transaction with the default options: the store uses no others.
func (c *conn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	switch {
	case c.Conn.Conn().IsClosed():
		return nil, driver.ErrBadConn
	case options != driver.TxOptions{}:
		return nil, errors.ErrUnsupported
	}
	c.within = true
	c.add(ctx, `BEGIN`, nil)
	c.add(ctx, `SET LOCAL synchronous_commit = off`, nil)
	return tx{c, ctx}, nil
}

func (c *conn) add(ctx context.Context, statement string, arguments []driver.NamedValue) *queued {
	q := &queued{conn: c, ctx: ctx, statement: statement}
	for _, a := range arguments {
		q.arguments = append(q.arguments, a.Value)
	}
	c.queue = append(c.queue, q)
	return q
}

func (c *conn) ExecContext(ctx context.Context, statement string, arguments []driver.NamedValue) (driver.Result, error) {
	if !c.within || len(arguments) == 0 { // several statements are possible
		if err := c.flush(ctx); err != nil {
			return nil, err
		}
		if err := c.prepare(ctx, statement, len(arguments)); err != nil {
			return nil, err
		}
		return c.Conn.ExecContext(ctx, statement, arguments)
	}
	return c.add(ctx, statement, arguments), ctx.Err()
}

func (c *conn) QueryContext(ctx context.Context, query string, arguments []driver.NamedValue) (driver.Rows, error) {
	if len(c.queue) == 0 {
		if err := c.prepare(ctx, query, len(arguments)); err != nil {
			return nil, err
		}
		return c.Conn.QueryContext(ctx, query, arguments)
	}
	q := c.add(ctx, query, arguments)
	results, err := c.send(ctx)
	if err != nil {
		return nil, err
	}
	found, err := results.Query()
	q.sent = true
	if err != nil {
		results.Close() // reports the same
		return nil, err
	}
	return &rows{found, results}, nil
}

// send sends the queue, and reads the results of all statements but the last.
func (c *conn) send(ctx context.Context) (pgx.BatchResults, error) {
	batch := &pgx.Batch{}
	for _, q := range c.queue {
		if err := c.prepare(ctx, q.statement, len(q.arguments)); err != nil {
			c.queue = nil
			return nil, err
		}
		batch.Queue(q.statement, q.arguments...)
	}
	all := c.queue
	c.queue = nil
	results := c.Conn.Conn().SendBatch(ctx, batch)
	for _, q := range all[:len(all)-1] {
		if err := q.read(results); err != nil {
			results.Close() // reports the same
			return nil, err
		}
	}
	return results, nil
}

func (q *queued) read(results pgx.BatchResults) (err error) {
	q.tag, err = results.Exec()
	q.sent = true
	return err
}

// flush sends the queue and reads its results.
func (c *conn) flush(ctx context.Context) error {
	if len(c.queue) == 0 {
		return nil
	}
	last := c.queue[len(c.queue)-1]
	results, err := c.send(ctx)
	if err != nil {
		return err
	}
	return cmp.Or(last.read(results), results.Close())
}

// tx is a transaction.
type tx struct {
	*conn
	ctx context.Context
}

// Commit waits for the disk after the end of the transaction, when its locks are free: a second
// transaction, which only logs an empty message, waits for everything written before it.
func (t tx) Commit() error {
	t.within = false
	end := t.add(t.ctx, `COMMIT`, nil)
	t.add(t.ctx, `SELECT pg_logical_emit_message(true, '', '')`, nil)
	if err := t.flush(t.ctx); err != nil {
		return err
	}
	if end.tag.String() == "ROLLBACK" {
		return pgx.ErrTxCommitRollback
	}
	return nil
}

func (t tx) Rollback() error {
	t.within = false
	t.queue = nil
	if t.Conn.Conn().PgConn().TxStatus() == 'I' { // nothing was sent
		return nil
	}
	_, err := t.Conn.ExecContext(t.ctx, `ROLLBACK`, nil)
	return err
}

// rows are those of the last statement that was sent.
type rows struct {
	pgx.Rows
	results pgx.BatchResults
}

func (r *rows) Columns() []string {
	fields := r.FieldDescriptions()
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.Name
	}
	return names
}

func (r *rows) Next(into []driver.Value) error {
	if !r.Rows.Next() {
		if err := r.Err(); err != nil {
			return err
		}
		return io.EOF
	}
	values, err := r.Values()
	for i, v := range values {
		if into[i] = v; err == nil {
			if valuer, is := v.(driver.Valuer); is {
				into[i], err = valuer.Value()
			}
		}
	}
	return err
}

func (r *rows) Close() error {
	r.Rows.Close()
	return r.results.Close()
}
