package capture

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver of OpenCode's database

	"whence/internal/agent"
	"whence/internal/agent/transcript"
)

// maxBusyTime is how long a read waits for OpenCode to write.
const maxBusyTime = 2 * time.Second

// database is a session in OpenCode's database, which is read only. A session has messages, and in version 1 these
// have parts, which OpenCode rewrites until they are finished.
type database struct {
	schema
	isTwo   bool // the session has messages in the tables of version 2
	ctx     context.Context
	path    string
	db      *sql.DB
	session string
	written time.Time
	cwd     string
	parent  string // the session whose subagent it is
}

// openDatabase opens a session. It returns nil if there is no such session.
func openDatabase(ctx context.Context, path, session string) (Source, error) {
	db, err := connect(path)
	if err != nil {
		return nil, err
	}
	d := &database{ctx: ctx, path: path, db: db, session: session}
	found := false
	if d.schema, err = schemaOf(ctx, db); err == nil {
		found, err = d.find()
	}
	if err != nil || !found {
		return nil, errors.Join(databaseError(path, err), db.Close())
	}
	return d, nil
}

// find reports whether the session exists, and reads its row. A session that version 1 began and version 2 continues is
// in the tables of both.
func (d *database) find() (bool, error) {
	var queries []string
	if d.two {
		queries = append(queries, `SELECT directory, parent_id, time_updated, true FROM session_v2 WHERE id = ?
			AND EXISTS (SELECT 1 FROM session_message WHERE session_id = session_v2.id)`)
	}
	if d.one {
		queries = append(queries, `SELECT directory, parent_id, time_updated, false FROM session WHERE id = ?`)
	}
	for _, query := range queries {
		var parent sql.NullString
		var written int64
		err := d.db.QueryRowContext(d.ctx, query, d.session).Scan(&d.cwd, &parent, &written, &d.isTwo)
		if !errors.Is(err, sql.ErrNoRows) {
			d.parent, d.written = parent.String, time.UnixMilli(written)
			return err == nil, err
		}
	}
	return false, nil
}

// connect opens a database for reading.
func connect(path string) (*sql.DB, error) {
	query := url.Values{"mode": {"ro"}}
	query["_pragma"] = []string{fmt.Sprintf("busy_timeout(%d)", maxBusyTime.Milliseconds()), "query_only(ON)", "trusted_schema(OFF)"}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query.Encode()}
	if filepath.VolumeName(path) != "" {
		address.Path = "/" + address.Path // file:///C:/…
	}
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		return nil, databaseError(path, err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`SELECT 1 FROM sqlite_schema`); err != nil {
		return nil, errors.Join(databaseError(path, err), db.Close())
	}
	return db, nil
}

// databaseEnd is endOf for a session.
func databaseEnd(ctx context.Context, path, session string) (place int64, err error) {
	db, err := connect(path)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	tables, err := schemaOf(ctx, db)
	if err != nil {
		return 0, databaseError(path, err)
	}
	for _, table := range tables.texts() {
		end := int64(0)
		err := db.QueryRowContext(ctx, `SELECT coalesce(max(time_created) + 1, 0) FROM `+table+` WHERE session_id = ?`, session).Scan(&end)
		if err != nil {
			return 0, databaseError(path, err)
		}
		place = max(place, end)
	}
	return place, nil
}

// databaseError returns an error about the database, or nil for nil. It does not wrap SQLite's error, which
// callers would mistake for one of the store.
func databaseError(path string, err error) error {
	if err != nil {
		return fmt.Errorf("read OpenCode's database %s: %v", path, err)
	}
	return nil
}

func (d *database) Close() error       { return d.db.Close() }
func (d *database) Written() time.Time { return d.written }

func (d *database) Unread(from transcript.Cursor) (bytes int64, err error) {
	if d.isTwo {
		return d.unreadMessages(from)
	}
	err = d.db.QueryRowContext(d.ctx, `SELECT coalesce(sum(length(data)), 0) FROM part WHERE session_id = ? AND id > ?`, d.session, from.Part).Scan(&bytes)
	return bytes, databaseError(d.path, err)
}

// Read reads the finished parts, in ascending order of their ids. It stops before an unfinished part,
// unless the session has gone on after its message.
func (d *database) Read(from transcript.Cursor, take func(transcript.Record) error) (transcript.Cursor, bool, error) {
	if d.isTwo {
		at, err := d.readMessages(from, take)
		return at, false, err
	}
	rows, err := d.db.QueryContext(d.ctx, `
		SELECT part.id, part.time_created, CASE WHEN length(part.data) <= ? THEN part.data ELSE '{}' END, message.id, message.data,
			message.id = (SELECT max(id) FROM message WHERE session_id = part.session_id)
		FROM part JOIN message ON message.id = part.message_id WHERE part.session_id = ? AND part.id > ? ORDER BY part.id`, transcript.MaxLineBytes, d.session, from.Part)
	if err != nil {
		return from, false, databaseError(d.path, err)
	}
	defer rows.Close()
	for rows.Next() {
		var p transcript.Part
		isLast := false // its message is the last one of the session
		if err := rows.Scan(&p.ID, &p.Created, &p.Data, &p.MessageID, &p.Message, &isLast); err != nil {
			return from, false, databaseError(d.path, err)
		}
		records, finished := p.Records()
		if isLast && !finished {
			break
		}
		if err := d.take(records, take); err != nil {
			return from, false, err
		}
		from = transcript.Cursor{Offset: from.Offset + int64(len(p.Data)), Part: p.ID}
	}
	if err := rows.Err(); err != nil {
		return from, false, databaseError(d.path, err)
	}
	return from, false, nil
}

// take passes on records, with their session and folder.
func (d *database) take(records []transcript.Record, take func(transcript.Record) error) error {
	for _, r := range records {
		r.Session, r.Cwd, r.Sidechain = cmp.Or(d.parent, d.session), cmp.Or(r.Cwd, d.cwd), d.parent != ""
		if err := take(r); err != nil {
			return err
		}
	}
	return nil
}

// sessionsIn returns the sessions in a database, in no particular order.
func sessionsIn(ctx context.Context, path string) (all []TranscriptFile, err error) {
	db, err := connect(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	tables, err := schemaOf(ctx, db)
	if err != nil {
		return nil, databaseError(path, err)
	}
	rows, err := db.QueryContext(ctx, `SELECT id, max(time_updated) FROM (`+tables.sessions()+`) GROUP BY id`)
	if err != nil {
		return nil, databaseError(path, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var written int64
		if err := rows.Scan(&id, &written); err != nil {
			return nil, databaseError(path, err)
		}
		all = append(all, TranscriptFile{Name: transcriptName(path, id), Written: time.UnixMilli(written)})
	}
	return all, databaseError(path, rows.Err())
}

func (d *database) Agent() agent.Client { return agent.OpenCode }
