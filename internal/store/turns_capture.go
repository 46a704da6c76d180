package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"whence/internal/text"
)

// Captured holds the turns read from one transcript since the last reading.
type Captured struct {
	Transcript string // path; "": none
	// Before and After are the states of the transcript before and after this reading; nil is
	// the beginning. They are opaque to the store.
	Before, After []byte

	Session, Project string // of the turns that name none
	Change           string // that the session works on; "": unknown
	Turns            []Turn // in their order
	Shared           bool   // with the team, in a store that it shares
	Never            bool   // only the UUIDs of the turns are stored, so that they never come back
	// Answer is the last answer of the agent, which an event had before the transcript. It needs
	// no UUID: the turn with its text replaces it.
	Answer *Turn
}

// ErrMoved means that another process has read the transcript meanwhile.
var ErrMoved = errors.New("the transcript has been read on by another process: read it again from its state")

const maxSessionTurns = 2000

// TranscriptState returns how far a transcript has been read, nil if it has not been.
func (s *Store) TranscriptState(ctx context.Context, transcript string) ([]byte, error) {
	state, err := s.conn.transcriptState(ctx, transcript)
	return state, wrap("read the state of a transcript", s.explained(err))
}

func (c Conn) transcriptState(ctx context.Context, transcript string) (state []byte, err error) {
	_, err = c.get(ctx, `SELECT state FROM transcripts WHERE path = $1`, []any{transcript}, &state)
	if len(state) == 0 {
		return nil, err
	}
	return state, err
}

// AddCaptured stores the turns read from a transcript and its new state in one transaction, and
// returns how many were new. If the state of the transcript is no longer Before, it stores
// nothing and returns [ErrMoved].
//
// The result does not depend on how turns are divided into calls:
//
//   - A UUID counts once, whatever session or transcript it comes from. A changed text replaces
//     the stored one, unless it is an earlier state of it.
//   - A turn with the Fold of another in its session is counted in that row, until it comes again
//     with a different Fold.
//   - Of the turns of a session the 2,000 with the highest Rank are stored, of equal ones the
//     first. A dropped turn comes back only with a higher Rank than it had.
//   - All turns of a session have its change: of those that were named, the first by the alphabet.
func (s *Store) AddCaptured(ctx context.Context, c Captured) (added int, err error) {
	return s.addCaptured(ctx, c, maxSessionTurns)
}

func (s *Store) addCaptured(ctx context.Context, c Captured, maxTurns int) (added int, err error) {
	err = s.write(ctx, TurnsLock, func(tx Conn) error {
		added, err = addCaptured(ctx, tx, c, maxTurns)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("store turns: %w", err)
	}
	return added, nil
}

func addCaptured(ctx context.Context, tx Conn, c Captured, maxTurns int) (added int, err error) {
	if c.Transcript != "" {
		if err := setTranscriptState(ctx, tx, c); err != nil {
			return 0, err
		}
	}
	k := newKeeper(ctx, tx, maxTurns)
	k.shared = c.Shared
	if err := k.setChange(text.Clean(c.Session), c.Change); err != nil {
		return 0, err
	}
	count := func(isNew bool, err error) error {
		if isNew {
			added++
		}
		return err
	}
	for _, t := range c.Turns {
		t = c.stored(t)
		if c.Never {
			err = k.ignore(t.Session, t.UUID, gone)
		} else {
			err = count(k.take(t))
		}
		if err != nil {
			return 0, err
		}
	}
	if c.Answer != nil {
		if err := count(k.storeEventAnswer(c.stored(*c.Answer))); err != nil {
			return 0, err
		}
	}
	return added, k.index()
}

func setTranscriptState(ctx context.Context, tx Conn, c Captured) error {
	state, err := tx.transcriptState(ctx, c.Transcript)
	if err != nil {
		return err
	}
	if !bytes.Equal(state, c.Before) {
		return ErrMoved
	}
	return tx.exec(ctx, `INSERT INTO transcripts (path, session, project, state, updated_at) VALUES ($1, $2, $3, $4, $5)
		`+tx.engine.OnConflict("path")+` DO UPDATE SET session = excluded.session, project = excluded.project, state = excluded.state, updated_at = excluded.updated_at`,
		c.Transcript, text.Clean(c.Session), nullable(c.Project), append([]byte{}, c.After...), timeText(time.Now()))
}

// stored returns a turn with the defaults of c, clean texts and its time.
func (c Captured) stored(t Turn) Turn {
	if t.Session == "" {
		t.Session = c.Session
	}
	if t.Project == "" {
		t.Project = c.Project
	}
	for _, s := range []*string{&t.Session, &t.UUID, &t.Role, &t.Kind, &t.Text, &t.Fold} {
		*s = text.Clean(*s)
	}
	t.At = storedTime(t.At)
	return t
}

// changeName returns the name of a change without the characters that end it in tags and prefixes.
func changeName(name string) string {
	return strings.Join(strings.FieldsFunc(text.Clean(name), func(r rune) bool { return r <= ' ' || strings.ContainsRune(",[]", r) }), "-")
}
