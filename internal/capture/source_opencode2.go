package capture

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"whence/internal/agent/transcript"
)

// schema says which version's tables a database of OpenCode has: both if version 2 has taken it over from version 1.
type schema struct{ one, two bool }

func schemaOf(ctx context.Context, db *sql.DB) (s schema, err error) {
	const query = `SELECT count(*) FILTER (WHERE name = 'part') > 0, count(*) FILTER (WHERE name = 'session_v2') > 0
		FROM sqlite_schema WHERE type = 'table'`
	err = db.QueryRowContext(ctx, query).Scan(&s.one, &s.two)
	if err == nil && !s.one && !s.two {
		err = errors.New("it has neither the tables of version 1 nor those of version 2, so its sessions are not captured")
	}
	return s, err
}

// texts returns the tables that hold what was said.
func (s schema) texts() (tables []string) {
	if s.one {
		tables = append(tables, "part")
	}
	if s.two {
		tables = append(tables, "session_message")
	}
	return tables
}

// sessions returns a query for the ids and times of all sessions.
func (s schema) sessions() string {
	var queries []string
	if s.one {
		queries = append(queries, `SELECT id, time_updated FROM session`)
	}
	if s.two {
		queries = append(queries, `SELECT id, time_updated FROM session_v2`)
	}
	return strings.Join(queries, " UNION ALL ")
}

// unread returns the clauses that select the messages after a cursor, and their parameters. The cursor is the id of a
// message, or of a part that version 1 has written.
func (d *database) unread(from transcript.Cursor) (condition string, parameters []any) {
	last, parameters := `(SELECT seq FROM session_message WHERE id = ?)`, []any{d.session, from.Part}
	if d.one {
		last += `, (SELECT max(seq) FROM session_message WHERE session_id = ? AND time_created <= (SELECT time_created FROM part WHERE id = ?))`
		parameters = append(parameters, d.session, from.Part)
	}
	return ` FROM session_message WHERE session_id = ? AND seq > coalesce(` + last + `, -1)`, parameters
}

func (d *database) unreadMessages(from transcript.Cursor) (bytes int64, err error) {
	condition, parameters := d.unread(from)
	err = d.db.QueryRowContext(d.ctx, `SELECT coalesce(sum(length(data)), 0)`+condition, parameters...).Scan(&bytes)
	return bytes, databaseError(d.path, err)
}

// readMessages reads the finished messages, in their order. It stops before the last answer if that is not finished.
func (d *database) readMessages(from transcript.Cursor, take func(transcript.Record) error) (transcript.Cursor, error) {
	condition, parameters := d.unread(from)
	rows, err := d.db.QueryContext(d.ctx, `
		SELECT id, type, time_created, CASE WHEN length(data) <= ? THEN data ELSE '{}' END,
			seq = (SELECT max(seq) FROM session_message WHERE session_id = ? AND type = 'assistant')`+condition+` ORDER BY seq`,
		append([]any{transcript.MaxLineBytes, d.session}, parameters...)...)
	if err != nil {
		return from, databaseError(d.path, err)
	}
	defer rows.Close()
	for rows.Next() {
		var m transcript.Message
		isLast := false // of the answers
		if err := rows.Scan(&m.ID, &m.Type, &m.Created, &m.Data, &isLast); err != nil {
			return from, databaseError(d.path, err)
		}
		records, finished := m.Records()
		if isLast && !finished {
			break
		}
		if err := d.take(records, take); err != nil {
			return from, err
		}
		from = transcript.Cursor{Offset: from.Offset + int64(len(m.Data)), Part: m.ID}
	}
	return from, databaseError(d.path, rows.Err())
}
