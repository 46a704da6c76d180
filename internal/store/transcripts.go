package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"time"

	"whence/internal/text"
)

// Transcript is the registered transcript of a session.
type Transcript struct {
	Path    string
	Session string
	Cwd     string    // of the agent at the last event
	Project string    // of its turns whose records name no other folder
	Capture bool      // false: what is new is skipped, for good
	Days    int       // how long its turns are kept; 0: for good
	State   []byte    // how far it was read, opaque to the store; nil: not at all
	Seen    time.Time // the last event
	Ended   bool      // it was the end of the session
}

// Register records the transcript of an event, and keeps how far it was read. When a session
// ends, so do the transcripts of its subagents.
func (s *Store) Register(ctx context.Context, t Transcript) error {
	err := s.write(ctx, func(tx conn) error {
		p := params{"path": t.Path, "session": text.Clean(t.Session), "cwd": t.Cwd, "project": t.Project,
			"capture": t.Capture, "days": t.Days, "seen": storedTime(t.Seen), "ended": t.Ended}
		err := tx.exec(ctx, `INSERT INTO transcripts (path, session, cwd, project, capture, days, seen_at, ended)
			VALUES (@path, @session, @cwd, @project, @capture, @days, @seen, @ended)
			ON CONFLICT (path) DO UPDATE SET session = excluded.session, cwd = excluded.cwd, project = excluded.project,
				capture = excluded.capture, days = excluded.days, seen_at = max(seen_at, excluded.seen_at), ended = excluded.ended`, p)
		if err != nil || !t.Ended {
			return err
		}
		return tx.exec(ctx, `UPDATE transcripts SET ended = 1 WHERE session = @session`, p)
	})
	return s.wrap("register a transcript", err)
}

// Transcripts returns the registered transcripts, those of the last events first.
func (s *Store) Transcripts(ctx context.Context) (all []Transcript, err error) {
	err = conn{s.db}.each(ctx, `SELECT path, session, cwd, project, capture, days, state, seen_at, ended FROM transcripts ORDER BY seen_at DESC, path`, nil,
		func(row *sql.Rows) error {
			var t Transcript
			var seen sql.NullString
			err := row.Scan(&t.Path, &t.Session, &t.Cwd, &t.Project, &t.Capture, &t.Days, &t.State, &seen, &t.Ended)
			t.Seen = parseTime(seen)
			all = append(all, t)
			return err
		})
	return all, s.wrap("list the transcripts", err)
}

// Unregister forgets transcripts that no longer exist. Their turns stay.
func (s *Store) Unregister(ctx context.Context, paths []string) error {
	err := s.write(ctx, func(tx conn) error {
		return tx.exec(ctx, `DELETE FROM transcripts WHERE path IN (SELECT value FROM json_each(@paths))`, params{"paths": paths})
	})
	return s.wrap("forget transcripts", err)
}

// ErrMoved means that another process has read the transcript meanwhile.
var ErrMoved = errors.New("the transcript has been read on by another process: read it again from its state")

// Reading is a part of a transcript that was read.
type Reading struct {
	Path          string
	Before, After []byte // states
	Turns         []Turn // in their order
	Skip          bool   // store only that the turns came, so that they never come back
}

// AddReading stores what was read of a registered transcript and its new state in one transaction, and
// returns how many turns were new. If the state is no longer Before, it stores nothing and returns
// [ErrMoved].
//
// A UUID counts once, whatever session or transcript it comes from. A text that has grown replaces the
// stored one.
func (s *Store) AddReading(ctx context.Context, r Reading) (added int, err error) {
	err = s.write(ctx, func(tx conn) error {
		var state []byte
		p := params{"path": r.Path, "after": append([]byte{}, r.After...)}
		known, err := tx.get(ctx, `SELECT state FROM transcripts WHERE path = @path`, p, &state)
		if err != nil {
			return err
		}
		if !known || !bytes.Equal(state, r.Before) {
			return ErrMoved
		}
		if err := tx.exec(ctx, `UPDATE transcripts SET state = @after WHERE path = @path`, p); err != nil {
			return err
		}
		if r.Skip {
			return skipTurns(ctx, tx, r.Turns)
		}
		added, err = addTurns(ctx, tx, r.Turns)
		return err
	})
	return added, s.wrap("store turns", err)
}
