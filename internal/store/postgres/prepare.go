package postgres

import (
	"context"
	"database/sql/driver"
)

// statements counts the runs of statements on one connection, to prepare those that run often. Parsing and
// planning is a quarter of the server's work, but preparing takes a round trip, and most programs run a
// statement once or twice.
type statements struct {
	runs     map[string]int // by statement
	prepared int
	pooled   bool // by a pooler, whose clients take turns at a server and so meet what others have prepared
}

const (
	minRuns       = 3   // to prepare a statement
	maxCounted    = 500 // statements
	maxStatements = 100 // prepared: each takes memory of the server
)

// prepare prepares a statement with arguments before its third run. Behind a pooler it does nothing.
func (c *conn) prepare(ctx context.Context, statement string, arguments int) error {
	s := &c.statements
	if arguments == 0 || s.pooled || s.prepared == maxStatements {
		return nil
	}
	n, counted := s.runs[statement]
	if !counted && len(s.runs) == maxCounted {
		return nil
	}
	n++
	s.runs[statement] = n
	if n != minRuns {
		return nil
	}
	server := c.Conn.Conn()
	if server.IsClosed() {
		return driver.ErrBadConn
	}
	if s.prepared == 0 { // a pooler gives clients another number of the server's process
		var process uint32
		if err := server.QueryRow(ctx, `SELECT pg_backend_pid()`).Scan(&process); err != nil {
			return err
		}
		if s.pooled = process != server.PgConn().PID(); s.pooled {
			return nil
		}
	}
	s.prepared++
	_, err := server.Prepare(ctx, statement, statement)
	return err
}
