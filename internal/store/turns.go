package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"whence/internal/inert"
	"whence/internal/words"
)

// Turn is one captured piece of conversation.
type Turn struct {
	UUID    string    `json:"uuid"` // unique across sessions; see AddReadings
	Session string    `json:"session"`
	Role    string    `json:"role"` // who speaks: user, assistant, tool
	Kind    string    `json:"kind"` // prompt, answer, error, …
	Text    string    `json:"text"`
	Change  string    `json:"change,omitempty"` // the change that the session works on; "": unknown
	Project string    `json:"-"`
	At      time.Time `json:"at"`

	// Set when the turn is read from the store.
	Number, Total int      `json:"-"` // its place among the turns of its session, from 1
	Tags          []string `json:"-"` // raw, phase:auto-extract, source:hook, and change:… if that is known
}

// Label returns the place of a turn in its session, preceded by the change that the session works on if that is known.
func (t Turn) Label() string {
	if t.Change == "" {
		return fmt.Sprintf("[turn %d/%d]", t.Number, t.Total)
	}
	return t.Prefix()
}

// Prefix returns the label of a turn in the form of the capture design, which calls an unknown change "unknown".
func (t Turn) Prefix() string {
	return fmt.Sprintf("[session:%s, turn %d/%d]", cmp.Or(t.Change, "unknown"), t.Number, t.Total)
}

// addTurns stores new turns and longer texts of stored ones, and returns the number of new turns.
func addTurns(ctx context.Context, tx conn, turns []Turn) (added int, err error) {
	var last int64
	if _, err := tx.get(ctx, `SELECT coalesce(max(seq), 0) FROM turns`, nil, &last); err != nil {
		return 0, err
	}
	stemmer := words.Stemmer{}
	for _, t := range turns {
		t = cleanTurn(t)
		stems := strings.Join(stemmer.Stems(t.Text+" "+t.Change), " ")
		p := params{
			"uuid": t.UUID, "session": t.Session, "role": t.Role, "kind": t.Kind, "text": t.Text, "change": t.Change,
			"project": t.Project, "at": t.At, "words": stems,
		}
		var seq int64
		var project string
		changed, err := tx.get(ctx, `INSERT INTO turns (uuid, session, role, kind, text, change, project, words, created_at)
			SELECT @uuid, @session, @role, @kind, @text, @change, @project, @words, @at
			WHERE NOT EXISTS (SELECT 1 FROM gone WHERE uuid = @uuid)
			ON CONFLICT (uuid) DO UPDATE SET text = excluded.text, words = excluded.words
				WHERE octet_length(excluded.text) > octet_length(turns.text)
			RETURNING seq, project`, p, &seq, &project)
		if err != nil {
			return added, err
		}
		if !changed {
			continue
		}
		if seq > last {
			added++
			last = seq
		}
		p["seq"], p["words"] = seq, ownStems(stems, project)
		if err := tx.exec(ctx, `INSERT OR REPLACE INTO turns_fts (rowid, words) VALUES (@seq, @words)`, p); err != nil {
			return added, err
		}
	}
	return added, nil
}

func cleanTurn(t Turn) Turn {
	for _, s := range []*string{&t.Session, &t.UUID, &t.Role, &t.Kind, &t.Text} {
		*s = inert.Clean(*s)
	}
	t.Change = strings.Join(strings.FieldsFunc(inert.Clean(t.Change), func(r rune) bool { return r <= ' ' || strings.ContainsRune(",[]", r) }), "-")
	t.At = storedTime(t.At)
	if now := storedTime(time.Now()); t.At.After(now) { // a turn from the future is as old as its copy here
		t.At = now
	}
	return t
}

const turnColumns = `t.uuid, t.session, t.role, t.kind, t.text, t.change, t.project, t.tags, t.created_at`

// scanTurn reads turnColumns, and the columns after them into more.
func scanTurn(row *sql.Rows, more ...any) (t Turn, err error) {
	var tags string
	var at sql.NullString
	err = row.Scan(append([]any{&t.UUID, &t.Session, &t.Role, &t.Kind, &t.Text, &t.Change, &t.Project, &tags, &at}, more...)...)
	t.At, t.Tags = parseTime(at), strings.Split(tags, ",")
	return t, err
}

// Session returns the turns of a session in a repository, in order.
func (s *Store) Session(ctx context.Context, project, session string) (all []Turn, err error) {
	err = s.conn.each(ctx, `SELECT `+turnColumns+` FROM turns t WHERE t.session = @session AND t.project = @project ORDER BY t.seq`,
		params{"session": session, "project": project}, func(row *sql.Rows) error {
			t, err := scanTurn(row)
			t.Number = len(all) + 1
			all = append(all, t)
			return err
		})
	for i := range all {
		all[i].Total = len(all)
	}
	return all, s.wrap("read a session", err)
}

// HasOtherSessions reports whether turns of other sessions in a repository are stored.
func (s *Store) HasOtherSessions(ctx context.Context, project, session string) (found bool, err error) {
	var one int
	found, err = s.conn.get(ctx, `SELECT 1 FROM turns WHERE project = @project AND session <> @session LIMIT 1`, params{"project": project, "session": session}, &one)
	return found, s.wrap("look for sessions", err)
}

// SessionIDs returns the session of a scope that has this id, or else up to 10 whose ids begin with it.
func (s *Store) SessionIDs(ctx context.Context, in Scope, id string) (ids []string, err error) {
	p := in.params()
	p["id"], p["last"] = id, id
	if len(id) >= minPrefixChars {
		p["last"] = id + string(utf8.MaxRune)
	}
	err = s.conn.each(ctx, `SELECT DISTINCT session FROM turns
		WHERE session BETWEEN @id AND @last AND (@everywhere OR project = @project) ORDER BY session LIMIT 10`, p, func(row *sql.Rows) error {
		var found string
		err := row.Scan(&found)
		ids = append(ids, found)
		return err
	})
	if len(ids) > 0 && ids[0] == id {
		ids = ids[:1]
	}
	return ids, s.wrap("look for a session", err)
}

// Sessions returns the ids of all sessions in a scope.
func (s *Store) Sessions(ctx context.Context, in Scope) (ids []string, err error) {
	err = s.conn.each(ctx, `SELECT DISTINCT session FROM turns WHERE @everywhere OR project = @project`, in.params(), func(row *sql.Rows) error {
		var id string
		err := row.Scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, s.wrap("list sessions", err)
}

// Asked returns the user's last words up to a turn in its session, or else the first ones after it; "" if there are
// none.
func (s *Store) Asked(ctx context.Context, t Turn) (text string, err error) {
	_, err = s.conn.get(ctx, `SELECT n.text FROM turns t JOIN turns n ON n.session = t.session AND n.project = t.project
		WHERE t.uuid = @uuid AND n.role = 'user' ORDER BY n.seq > t.seq, abs(n.seq - t.seq) LIMIT 1`, params{"uuid": t.UUID}, &text)
	return text, s.wrap("look for a prompt", err)
}

// Turn returns the turn with a UUID, or the zero Turn if there is none.
func (s *Store) Turn(ctx context.Context, uuid string) (t Turn, err error) {
	err = s.conn.each(ctx, `SELECT `+turnColumns+`,
			(SELECT count(*) FROM turns n WHERE n.session = t.session AND n.project = t.project AND n.seq <= t.seq),
			(SELECT count(*) FROM turns n WHERE n.session = t.session AND n.project = t.project)
		FROM turns t WHERE t.uuid = @uuid`, params{"uuid": uuid}, func(row *sql.Rows) error {
		var number, total int
		t, err = scanTurn(row, &number, &total)
		t.Number, t.Total = number, total
		return err
	})
	return t, s.wrap("read a turn", err)
}
