package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"whence/internal/learning"
	"whence/internal/text"
)

// OpKind is the kind of an operation.
type OpKind string

// The kinds of operations.
const (
	OpAdd       OpKind = "add"       // also revives a learning that was forgotten
	OpReinforce OpKind = "reinforce" // counts; does nothing to a learning that was forgotten
	OpEdit      OpKind = "edit"
	OpForget    OpKind = "forget"
	OpTurn      OpKind = "turn"
)

// Op is a change that the server of a team does not have yet. It is idempotent by its ID.
type Op struct {
	ID       string             `json:"-"`
	Seq      int64              `json:"-"` // the order of changes
	Kind     OpKind             `json:"-"`
	Before   string             `json:"before,omitempty"`   // id of the learning that is edited or forgotten
	Revision int64              `json:"revision,omitempty"` // of the server, that an edit changes; 0: unknown
	Learning *learning.Learning `json:"learning,omitempty"` // as it is afterwards
	Turn     *Turn              `json:"turn,omitempty"`
}

// shared returns what a team shares of a learning: all but its repository, and how it is used here.
func shared(l learning.Learning) *learning.Learning {
	l.Project, l.Recalls, l.LastRecalled, l.LastUsed = "", 0, time.Time{}, time.Time{}
	return &l
}

// Team is the team that a repository shares its learnings with.
type Team struct {
	Project    string // the repository
	URL        string // of the server
	Team       string
	Scope      string // the repository's name on the server
	ShareTurns bool
	Pulled     int64     // the last revision that was applied
	Synced     time.Time // the last exchange; zero: none yet
	Fault      string    // of the last exchange, "" if it succeeded
	Waiting    int       // operations in the outbox
}

// Teams returns the teams of all repositories.
func (s *Store) Teams(ctx context.Context) (all []Team, err error) {
	err = conn{s.db}.each(ctx, `SELECT project, url, team, scope, share_turns, pulled, synced_at, fault,
			(SELECT count(*) FROM outbox o WHERE o.project = t.project) FROM teams t ORDER BY project`, nil,
		func(row *sql.Rows) error {
			var t Team
			var synced sql.NullString
			err := row.Scan(&t.Project, &t.URL, &t.Team, &t.Scope, &t.ShareTurns, &t.Pulled, &synced, &t.Fault, &t.Waiting)
			t.Synced = parseTime(synced)
			all = append(all, t)
			return err
		})
	return all, s.wrap("list the teams", err)
}

// TeamOf returns the team of a repository, nil if it has none.
func (s *Store) TeamOf(ctx context.Context, project string) (*Team, error) {
	all, err := s.Teams(ctx)
	for _, t := range all {
		if t.Project == project {
			return &t, err
		}
	}
	return nil, err
}

// Join shares the learnings of a repository with a team from now on, and queues those that it has.
func (s *Store) Join(ctx context.Context, t Team) error {
	return s.write(ctx, func(tx conn) error {
		p := params{"project": t.Project, "url": t.URL, "team": t.Team, "scope": t.Scope, "turns": t.ShareTurns}
		if err := tx.exec(ctx, `INSERT INTO teams (project, url, team, scope, share_turns) VALUES (@project, @url, @team, @scope, @turns)
			ON CONFLICT (project) DO UPDATE SET url = excluded.url, team = excluded.team, scope = excluded.scope,
				share_turns = excluded.share_turns, pulled = 0, fault = ''`, p); err != nil {
			return err
		}
		if err := tx.exec(ctx, `DELETE FROM outbox WHERE project = @project`, p); err != nil {
			return err
		}
		rows, err := tx.learnings(ctx, `WHERE e.source_project = @project ORDER BY e.seq`, p)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := enqueue(ctx, tx, t.Project, OpAdd, Op{Learning: shared(row.Learning)}); err != nil {
				return err
			}
		}
		return nil
	})
}

// Leave stops sharing the learnings of a repository. They stay here; what was not sent is not sent.
func (s *Store) Leave(ctx context.Context, project string) error {
	return s.write(ctx, func(tx conn) error {
		p := params{"project": project}
		return errors.Join(
			tx.exec(ctx, `DELETE FROM teams WHERE project = @project`, p),
			tx.exec(ctx, `DELETE FROM outbox WHERE project = @project`, p),
			tx.exec(ctx, `UPDATE entries SET revision = 0 WHERE source_project = @project`, p))
	})
}

// enqueue adds an operation to the outbox, in the transaction of its change, if the repository has a
// team.
func enqueue(ctx context.Context, tx conn, project string, kind OpKind, op Op) error {
	if project == "" {
		return nil
	}
	body, err := json.Marshal(op)
	if err != nil {
		return err
	}
	return tx.exec(ctx, `INSERT INTO outbox (id, project, kind, body)
		SELECT @id, project, @kind, @body FROM teams WHERE project = @project AND (@kind <> 'turn' OR share_turns)`,
		params{"id": rand.Text(), "project": project, "kind": string(kind), "body": string(body)})
}

// Outbox returns the first operations of a repository that its team does not have, in order.
func (s *Store) Outbox(ctx context.Context, project string, maxOps int) (all []Op, err error) {
	err = conn{s.db}.each(ctx, `SELECT seq, id, kind, body FROM outbox WHERE project = @project ORDER BY seq LIMIT @max`,
		params{"project": project, "max": maxOps}, func(row *sql.Rows) error {
			var op Op
			var body string
			if err := row.Scan(&op.Seq, &op.ID, &op.Kind, &body); err != nil {
				return err
			}
			all = append(all, op)
			return json.Unmarshal([]byte(body), &all[len(all)-1])
		})
	return all, s.wrap("read the outbox", err)
}

// Sent removes the operations of a repository up to one, which the server has now.
func (s *Store) Sent(ctx context.Context, project string, last int64) error {
	return s.write(ctx, func(tx conn) error {
		return tx.exec(ctx, `DELETE FROM outbox WHERE project = @project AND seq <= @last`, params{"project": project, "last": last})
	})
}

// Change is a learning as the server has it. One without a Learning was forgotten.
type Change struct {
	ID       string
	Revision int64
	Learning *learning.Learning
}

// ErrUnsent reports that the repository has operations that the server does not have: push first.
var ErrUnsent = errors.New("there are changes that the server does not have yet")

// Apply makes the learnings of a repository what the server has, from the revision since, which was
// applied last, up to another, in one transaction. The server's texts and counts win, as it has all that
// was sent. The error is ErrUnsent if something was not. If another process has pulled meanwhile, nothing
// is applied: these changes may be older.
func (s *Store) Apply(ctx context.Context, project string, since int64, changes []Change, revision int64) (applied bool, err error) {
	err = s.write(ctx, func(tx conn) error {
		p := params{"project": project, "since": since, "revision": revision}
		unsent, err := tx.get(ctx, `SELECT 1 FROM outbox WHERE project = @project AND kind <> 'turn' LIMIT 1`, p, new(int))
		if err != nil {
			return err
		}
		if unsent {
			return ErrUnsent
		}
		n, err := tx.count(ctx, `UPDATE teams SET pulled = @revision WHERE project = @project AND pulled = @since`, p)
		if applied = n > 0; err != nil || !applied {
			return err
		}
		for _, c := range changes {
			if err := apply(ctx, tx, project, c); err != nil {
				return err
			}
		}
		return nil
	})
	forgotten := slices.ContainsFunc(changes, func(c Change) bool { return c.Learning == nil })
	if err == nil && applied && forgotten {
		err = s.compact(ctx, "entries")
	}
	return applied && err == nil, err
}

func apply(ctx context.Context, tx conn, project string, c Change) error {
	p := params{"id": c.ID, "project": project, "revision": c.Revision}
	if c.Learning == nil {
		return tx.exec(ctx, `DELETE FROM entries WHERE id = @id AND source_project = @project`, p)
	}
	l, err := storable(*shared(*c.Learning))
	l.Project = project
	if err != nil {
		return nil // a newer version may allow more; this one cannot show it
	}
	rows, err := tx.learnings(ctx, `WHERE e.id = @id AND e.source_project = @project`, p)
	if err != nil {
		return err
	}
	var seq any // of the learning here
	if len(rows) > 0 {
		seq = rows[0].seq
	}
	if _, err := writeRow(ctx, tx, seq, l); err != nil {
		return err
	}
	return tx.exec(ctx, `UPDATE entries SET revision = @revision WHERE id = @id AND source_project = @project`, p)
}

// Exchanged records the result of an exchange with the server of a repository's team; "" is success.
func (s *Store) Exchanged(ctx context.Context, project string, at time.Time, fault string) error {
	return s.write(ctx, func(tx conn) error {
		return tx.exec(ctx, `UPDATE teams SET synced_at = CASE @fault WHEN '' THEN @at ELSE synced_at END, fault = @fault WHERE project = @project`,
			params{"project": project, "at": storedTime(at), "fault": fault})
	})
}

// State returns a line on the team of a repository: where, when they exchanged last, what waits.
func (t Team) State() string {
	server, last := "the server", "not exchanged yet"
	if u, err := url.Parse(t.URL); err == nil {
		server = cmp.Or(u.Query().Get("host"), u.Host) + u.Path
	}
	if !t.Synced.IsZero() {
		last = "in sync at " + t.Synced.Local().Format("2006-01-02 15:04")
	}
	line := fmt.Sprintf("%s on %s, as %s: %s, waiting changes: %d", t.Team, server, t.Scope, last, t.Waiting)
	if t.Fault != "" {
		line += "; last time: " + t.Fault
	}
	return text.Printable(line)
}
