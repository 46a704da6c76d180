package store

import (
	"context"
	"database/sql/driver"
)

// preparing opens connections that keep their prepared statements, since preparing one takes as long
// as running it, and that queue for writing.
type preparing struct {
	driver.Connector
	dir string // of the file
}

// sqliteConn lists the interfaces of the driver's connections that are used.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.SessionResetter
	driver.Validator
}

// sqliteStatement is a prepared statement of the driver.
type sqliteStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

func (p preparing) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &preparedConn{c.(sqliteConn), p.dir, map[string]sqliteStatement{}}, nil
}

// maxStatements bounds the statements that a connection keeps. The store has fewer.
const maxStatements = 100

// preparedConn is a connection with its prepared statements that are not in use.
type preparedConn struct {
	sqliteConn
	dir  string
	free map[string]sqliteStatement // by their text
}

func (c *preparedConn) take(ctx context.Context, text string) (sqliteStatement, error) {
	if s, free := c.free[text]; free {
		delete(c.free, text)
		return s, nil
	}
	s, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	return s.(sqliteStatement), nil
}

// put keeps a statement for the next use.
func (c *preparedConn) put(text string, s sqliteStatement) error {
	if _, twice := c.free[text]; twice || len(c.free) == maxStatements {
		return s.Close()
	}
	c.free[text] = s
	return nil
}

func (c *preparedConn) ExecContext(ctx context.Context, text string, arguments []driver.NamedValue) (driver.Result, error) {
	s, err := c.take(ctx, text)
	if err != nil {
		return nil, err
	}
	result, err := s.ExecContext(ctx, arguments)
	if err != nil {
		s.Close()
		return nil, err
	}
	return result, c.put(text, s)
}

func (c *preparedConn) QueryContext(ctx context.Context, text string, arguments []driver.NamedValue) (driver.Rows, error) {
	s, err := c.take(ctx, text)
	if err != nil {
		return nil, err
	}
	rows, err := s.QueryContext(ctx, arguments)
	if err != nil {
		s.Close()
		return nil, err
	}
	return &preparedRows{rows, func() error { return c.put(text, s) }}, nil
}

// BeginTx begins a write when its turn has come.
func (c *preparedConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	leave := enqueue(ctx, c.dir)
	tx, err := c.sqliteConn.BeginTx(ctx, options)
	if err != nil {
		leave()
		return nil, err
	}
	return queuedTx{tx, leave}, nil
}

// queuedTx leaves the queue at its end.
type queuedTx struct {
	driver.Tx
	leave func()
}

func (tx queuedTx) Commit() error {
	defer tx.leave()
	return tx.Tx.Commit()
}

func (tx queuedTx) Rollback() error {
	defer tx.leave()
	return tx.Tx.Rollback()
}

func (c *preparedConn) Close() error {
	for _, s := range c.free {
		s.Close()
	}
	return c.sqliteConn.Close()
}

// preparedRows gives its statement back when it is closed.
type preparedRows struct {
	driver.Rows
	put func() error
}

func (r *preparedRows) Close() error {
	if err := r.Rows.Close(); err != nil {
		return err
	}
	return r.put()
}
