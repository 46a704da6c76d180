package transcript

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver of OpenCode's database

	"whence/internal/agent"
)

// openCode is OpenCode.
const openCode = agent.Client("opencode")

// maxBusyTime is how long a read waits for OpenCode to write.
const maxBusyTime = 2 * time.Second

// database is a session in OpenCode's database, which is read only. A session has messages, and these
// have parts, which OpenCode rewrites until they are finished.
type database struct {
	ctx     context.Context
	db      *sql.DB
	session string
	written time.Time
	head    carried
}

// openDatabase opens a session. It returns nil if there is no such file or session.
func openDatabase(ctx context.Context, path, session string) (Source, error) {
	db, err := connect(ctx, path)
	if db == nil {
		return nil, err
	}
	d := &database{ctx: ctx, db: db, session: session}
	var parent sql.NullString
	var written int64
	err = db.QueryRowContext(ctx, `SELECT directory, version, parent_id, time_updated FROM session WHERE id = ?`, session).Scan(&d.head.Cwd, &d.head.Version, &parent, &written)
	if err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			err = nil
		}
		return nil, errors.Join(explained(path, err), db.Close())
	}
	d.head.Session, d.head.Sidechain, d.written = session, parent.String != "", time.UnixMilli(written)
	return d, nil
}

// connect opens a database for reading. It returns nil if there is no file.
func connect(ctx context.Context, path string) (*sql.DB, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	query := url.Values{"mode": {"ro"}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", maxBusyTime.Milliseconds()), "query_only(ON)", "trusted_schema(OFF)"}}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query.Encode()}
	if filepath.VolumeName(path) != "" {
		address.Path = "/" + address.Path // file:///C:/…
	}
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		return nil, explained(path, err)
	}
	db.SetMaxOpenConns(1)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(explained(path, err), db.Close())
	}
	return db, nil
}

func explained(path string, err error) error {
	if err != nil {
		return fmt.Errorf("OpenCode's database %s: %w", path, err)
	}
	return nil
}

func (d *database) Close() error             { return d.db.Close() }
func (d *database) Written() time.Time       { return d.written }
func (d *database) Unchanged() (bool, error) { return true, nil } // a query sees one state

func (d *database) Unread(from Cursor) (bytes int64, err error) {
	err = d.db.QueryRowContext(d.ctx, `SELECT coalesce(sum(length(data)), 0) FROM part WHERE session_id = ? AND id > ?`, d.session, from.UUID).Scan(&bytes)
	return bytes, err
}

// Read reads the finished parts, which have ascending ids. It ends before one that is not finished,
// unless the session has gone on without it.
func (d *database) Read(from Cursor, take func(Record) error) (Cursor, Start, error) {
	rows, err := d.db.QueryContext(d.ctx, `
		SELECT part.id, part.time_created, CASE WHEN length(part.data) <= ? THEN part.data ELSE '{}' END, message.id, message.data,
			message.id = (SELECT max(id) FROM message WHERE session_id = part.session_id)
		FROM part JOIN message ON message.id = part.message_id WHERE part.session_id = ? AND part.id > ? ORDER BY part.id`, MaxLineBytes, d.session, from.UUID)
	if err != nil {
		return from, Onwards, fmt.Errorf("read the transcript: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var p openCodePart
		var part, message []byte
		if err := rows.Scan(&p.ID, &p.Created, &part, &p.Message.ID, &message, &p.Last); err != nil {
			return from, Onwards, fmt.Errorf("read the transcript: %w", err)
		}
		if decode(part, &p) != nil || decode(message, &p.Message) != nil {
			continue
		}
		if p.Last && !p.isFinished() {
			break
		}
		records, _ := p.records()
		for _, r := range records {
			r.Session, r.Cwd, r.Version, r.Sidechain = d.head.Session, cmp.Or(r.Cwd, d.head.Cwd), d.head.Version, d.head.Sidechain
			if err := take(r); err != nil {
				return from, Onwards, err
			}
		}
		from = Cursor{Offset: from.Offset + int64(len(part)), UUID: p.ID}
	}
	if err := rows.Err(); err != nil {
		return from, Onwards, fmt.Errorf("read the transcript: %w", err)
	}
	return from, Onwards, nil
}

// openCodePart is a part of a message.
type openCodePart struct {
	ID      string `json:"-"`
	Created int64  `json:"-"` // ms
	Last    bool   `json:"-"` // its message is the last one of the session
	Message struct {
		ID   string `json:"-"`
		Role string `json:"role"`
		Path struct {
			Cwd string `json:"cwd"`
		} `json:"path"`
		Time struct {
			Completed int64 `json:"completed"`
		} `json:"time"`
		Error   *struct{ Name string } `json:"error"`
		Summary json.RawMessage        `json:"summary"` // true in a compaction
	} `json:"-"`

	Type      string `json:"type"`
	Text      string `json:"text"`
	Synthetic bool   `json:"synthetic"` // not typed by the user
	Ignored   bool   `json:"ignored"`   // not sent to the model
	Time      struct {
		End int64 `json:"end"`
	} `json:"time"`
	Tool  string `json:"tool"`
	Call  string `json:"callID"`
	State struct {
		Status   string `json:"status"`
		Input    input  `json:"input"`
		Output   string `json:"output"`
		Error    string `json:"error"`
		Metadata struct {
			Exit int `json:"exit"`
		} `json:"metadata"`
	} `json:"state"`
	Reason string `json:"reason"`
	Tokens struct {
		Input  int `json:"input"`
		Output int `json:"output"`
		Cache  struct {
			Write int `json:"write"`
		} `json:"cache"`
	} `json:"tokens"`
}

// isFinished reports whether OpenCode will not write the part again.
func (p *openCodePart) isFinished() bool {
	switch {
	case p.Message.Role != "assistant" || p.Message.Time.Completed > 0 || p.Message.Error != nil:
		return true
	case p.Type == "tool":
		return p.State.Status == "completed" || p.State.Status == "error"
	case p.Type == "text" || p.Type == "reasoning":
		return p.Time.End > 0
	}
	return true
}

// records returns the records of a part, and reports whether it is of a known kind.
func (p *openCodePart) records() ([]Record, bool) {
	r := Record{UUID: clean(p.ID), At: time.UnixMilli(p.Created), Type: User, Summary: string(p.Message.Summary) == "true", Meta: p.Synthetic, Cwd: clean(p.Message.Path.Cwd)}
	if p.Message.Role == "assistant" {
		r.Type, r.Message = Assistant, clean(p.Message.ID)
	}
	switch p.Type {
	case "text":
		switch {
		case p.Ignored || p.Text == "":
			return nil, true
		case p.Synthetic && isInjected(p.Text):
			r.Type, r.Meta, r.Hook = Attachment, false, Hook{Event: eventOf(p.Text, agent.UserPromptSubmit), Text: clean(p.Text)}
		default:
			r.Blocks = []Block{{Kind: Text, Text: clean(p.Text)}}
		}
	case "tool":
		r.Blocks = []Block{{Kind: Use, Tool: clean(p.Call), Name: openCode.Tool(clean(p.Tool)), Input: p.State.Input.cleaned()}}
		if p.State.Status != "completed" && p.State.Status != "error" {
			return []Record{r}, true
		}
		done := r
		result := Block{Kind: Result, Index: 1, Tool: clean(p.Call), Error: p.State.Status == "error"}
		done.Type, done.Message = User, ""
		done.Blocks = []Block{result.finished(itoa(p.State.Metadata.Exit), cmp.Or(p.State.Error, p.State.Output))}
		return []Record{r, done}, true
	case "step-finish":
		r.Tokens = max(0, p.Tokens.Input) + max(0, p.Tokens.Cache.Write) + max(0, p.Tokens.Output)
	case "reasoning", "file", "step-start", "snapshot", "patch", "agent", "subtask", "retry", "compaction":
		return nil, true
	default:
		return nil, false
	}
	return []Record{r}, true
}

// sessionsIn returns the transcripts in a database that were written to since a time, the newest first.
func sessionsIn(ctx context.Context, path string, since time.Time) (names []string, err error) {
	db, err := connect(ctx, path)
	if db == nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, `SELECT id FROM session WHERE time_updated >= ? ORDER BY time_updated DESC, id`, since.UnixMilli())
	if err != nil {
		return nil, explained(path, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, explained(path, err)
		}
		names = append(names, Name(path, id))
	}
	return names, explained(path, rows.Err())
}
