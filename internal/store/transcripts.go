package store

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"whence/internal/inert"
)

// Transcript is the registered transcript of a session.
type Transcript struct {
	Path    string
	Session string
	Agent   string
	Cwd     string    // of the agent at the last event
	Project string    // of turns whose records name no other folder
	Watch   []byte    // findings of events about it, opaque to the store; nil: none
	Days    int       // how long its turns are kept; 0: for good
	State   []byte    // how far it was read, opaque to the store; nil: unread
	Seen    time.Time // the last event
	Ended   bool      // the session has ended

	Finished bool // and all of it was read after that
}

// Register records the transcript of an event, and keeps its State. The function watch gets the stored Watch, nil if
// the transcript is new, and returns the new one. When a session ends, the transcripts of its subagents end, too.
func (s *Store) Register(ctx context.Context, t Transcript, watch func(before []byte) (after []byte)) error {
	err := s.write(ctx, func(tx conn) error {
		p := params{"path": t.Path, "session": inert.Clean(t.Session), "agent": t.Agent, "cwd": t.Cwd, "project": t.Project,
			"days": t.Days, "seen": storedTime(t.Seen), "ended": t.Ended}
		if _, err := tx.get(ctx, `SELECT watch FROM transcripts WHERE path = @path`, p, &t.Watch); err != nil {
			return err
		}
		p["watch"] = watch(t.Watch)
		err := tx.exec(ctx, `INSERT INTO transcripts (path, session, agent, cwd, project, watch, days, seen_at, ended)
			VALUES (@path, @session, @agent, @cwd, @project, @watch, @days, @seen, @ended)
			ON CONFLICT (path) DO UPDATE SET session = excluded.session, agent = excluded.agent, cwd = excluded.cwd, project = excluded.project,
				watch = excluded.watch, days = excluded.days, seen_at = max(seen_at, excluded.seen_at), ended = excluded.ended, finished = 0`, p)
		if err != nil || !t.Ended {
			return err
		}
		return tx.exec(ctx, `UPDATE transcripts SET ended = 1 WHERE session = @session`, p)
	})
	return s.wrap("register a transcript", err)
}

// RegisterAll records transcripts that no event has named. It leaves registered ones unchanged.
func (s *Store) RegisterAll(ctx context.Context, all []Transcript) error {
	err := s.write(ctx, func(tx conn) error {
		for _, t := range all {
			p := params{"path": t.Path, "session": inert.Clean(t.Session), "agent": t.Agent, "cwd": t.Cwd, "project": t.Project,
				"watch": t.Watch, "days": t.Days, "seen": storedTime(t.Seen), "ended": t.Ended}
			if err := tx.exec(ctx, `INSERT INTO transcripts (path, session, agent, cwd, project, watch, days, seen_at, ended)
				VALUES (@path, @session, @agent, @cwd, @project, @watch, @days, @seen, @ended) ON CONFLICT (path) DO NOTHING`, p); err != nil {
				return err
			}
		}
		return nil
	})
	return s.wrap("register transcripts", err)
}

const transcriptColumns = `path, session, agent, cwd, project, watch, days, state, seen_at, ended, finished`

func scanTranscript(row *sql.Rows) (t Transcript, err error) {
	var seen sql.NullString
	err = row.Scan(&t.Path, &t.Session, &t.Agent, &t.Cwd, &t.Project, &t.Watch, &t.Days, &t.State, &seen, &t.Ended, &t.Finished)
	t.Seen = parseTime(seen)
	return t, err
}

// Transcripts returns the registered transcripts, the one with the latest event first.
func (s *Store) Transcripts(ctx context.Context) (all []Transcript, err error) {
	err = s.conn.each(ctx, `SELECT `+transcriptColumns+` FROM transcripts ORDER BY seen_at DESC, path`, nil, func(row *sql.Rows) error {
		t, err := scanTranscript(row)
		all = append(all, t)
		return err
	})
	return all, s.wrap("list the transcripts", err)
}

// EachWatch calls take with the Agent and the Watch of each registered transcript.
func (s *Store) EachWatch(ctx context.Context, take func(agent string, watch []byte)) error {
	err := s.conn.each(ctx, `SELECT agent, watch FROM transcripts`, nil, func(row *sql.Rows) error {
		var agent string
		var watch []byte
		err := row.Scan(&agent, &watch)
		take(agent, watch)
		return err
	})
	return s.wrap("list the transcripts", err)
}

// Transcript returns the transcript with a path; known is false if it is not registered.
func (s *Store) Transcript(ctx context.Context, path string) (t Transcript, known bool, err error) {
	err = s.conn.each(ctx, `SELECT `+transcriptColumns+` FROM transcripts WHERE path = @path`, params{"path": path}, func(row *sql.Rows) error {
		t, err = scanTranscript(row)
		known = true
		return err
	})
	return t, known, s.wrap("look for a transcript", err)
}

// Unregister forgets transcripts that no longer exist. Their turns stay.
func (s *Store) Unregister(ctx context.Context, paths []string) error {
	err := s.write(ctx, func(tx conn) error {
		return tx.exec(ctx, `DELETE FROM transcripts WHERE path IN (SELECT value FROM json_each(@paths))`, params{"paths": paths})
	})
	return s.wrap("forget transcripts", err)
}

// ErrMoved means that the registration of a transcript, or the user's consent, changed while the transcript was read.
var ErrMoved = errors.New("the transcript was read on, or an event or a command of the user came meanwhile: read it again")

// Reading is a part of a transcript that was read.
type Reading struct {
	Of    Transcript // as it was registered before
	After []byte     // its new state
	Turns []Turn     // in their order
	Off   []string   // UUIDs of records from while capture was off: they are never stored

	Finished bool // the session has ended, and all of it was read
}

// AddReadings stores readings and the new states of their transcripts in one transaction, and returns the number of new
// turns. If a transcript is no longer registered with the State and Watch of the reading, or the user's consent does
// not cover all turns, it stores nothing and returns [ErrMoved].
//
// A UUID counts once, whatever session or transcript it comes from. A longer text replaces the stored one.
func (s *Store) AddReadings(ctx context.Context, all []Reading) (added int, err error) {
	err = s.write(ctx, func(tx conn) error {
		added = 0
		for _, r := range all {
			n, err := addReading(ctx, tx, r)
			if err != nil {
				return err
			}
			added += n
		}
		return nil
	})
	return added, s.wrap("store turns", err)
}

func addReading(ctx context.Context, tx conn, r Reading) (added int, err error) {
	var state, watch []byte
	p := params{"path": r.Of.Path, "agent": r.Of.Agent, "after": append([]byte{}, r.After...), "projects": projectsOf(r.Turns), "finished": r.Finished}
	isKnown, err := tx.get(ctx, `SELECT state, watch FROM transcripts WHERE path = @path`, p, &state, &watch)
	if err != nil {
		return 0, err
	}
	if !isKnown || !bytes.Equal(state, r.Of.State) || !bytes.Equal(watch, r.Of.Watch) {
		return 0, ErrMoved
	}
	isRefused, err := tx.get(ctx, `SELECT 1 FROM json_each(@projects) WHERE NOT EXISTS
		(SELECT 1 FROM consents WHERE agent = @agent AND project IN ('', value))`, p, new(int))
	if err != nil || isRefused {
		return 0, cmp.Or(err, ErrMoved)
	}
	if err := tx.exec(ctx, `UPDATE transcripts SET state = @after, finished = @finished WHERE path = @path`, p); err != nil {
		return 0, err
	}
	if err := addGone(ctx, tx, r.Off); err != nil {
		return 0, err
	}
	return addTurns(ctx, tx, r.Turns)
}

func projectsOf(turns []Turn) []string {
	projects := []string{}
	for _, t := range turns {
		if !slices.Contains(projects, t.Project) {
			projects = append(projects, t.Project)
		}
	}
	return projects
}
