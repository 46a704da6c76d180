package postgres

import (
	"context"
	"database/sql/driver"
)

// preparer decides which statements of a connection are prepared. Parsing and planning them is a quarter
// of the server's work. Most programs run a statement once or twice, and preparing takes a round trip.
type preparer struct {
	runs     map[string]int // by statement
	pooled   bool           // the connection is to a pooler, whose servers do not know what one of them has prepared
	prepared int
}

const (
	minRuns       = 3   // the one that a statement is prepared for
	maxCounted    = 500 // statements
	maxStatements = 100 // each takes memory of the server
)

// prepare prepares a statement with arguments when it is about to run for the third time.
func (c *conn) prepare(ctx context.Context, statement string, arguments int) error {
	p := &c.prepared
	if arguments == 0 || p.pooled || p.prepared == maxStatements {
		return nil
	}
	n, counted := p.runs[statement]
	if !counted && len(p.runs) == maxCounted {
		return nil
	}
	if p.runs[statement] = n + 1; n+1 != minRuns {
		return nil
	}
	server := c.Conn.Conn()
	if server.IsClosed() {
		return driver.ErrBadConn
	}
	if p.prepared == 0 { // a pooler makes up the number of a process
		var process uint32
		if err := server.QueryRow(ctx, `SELECT pg_backend_pid()`).Scan(&process); err != nil {
			return err
		}
		if p.pooled = process != server.PgConn().PID(); p.pooled {
			return nil
		}
	}
	p.prepared++
	_, err := server.Prepare(ctx, statement, statement)
	return err
}
