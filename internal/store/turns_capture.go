package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"whence/internal/text"
)

// Captured holds the turns read from one transcript since the last reading.
type Captured struct {
	Transcript string // its path, under which Before and After are kept; "": it is none
	// Before and After are how far it had been read when this reading began, and how far
	// it is now; none is the beginning. The store does not look into them.
	Before, After []byte

	Session, Project string // of the turns that name none
	Change           string // that the session works on; "" is unknown yet
	Turns            []Turn // in their order
	Shared           bool   // with the team, where it shares the store
	Never            bool   // none of them is kept, now or when it comes again: what is known of them is their UUIDs
	// Answer is the last answer of the agent, if it came with an event and the transcript did
	// not have it yet. It needs no UUID: the turn that holds its text replaces it.
	Answer *Turn
}

// ErrMoved means that another process has read the transcript on meanwhile.
var ErrMoved = errors.New("the transcript has been read on by another process: read it again from its state")

// maxSessionTurns is how many turns of one session are kept.
const maxSessionTurns = 2000

// TranscriptState is how far a transcript has been read, nil if it has not been.
func (s *Store) TranscriptState(ctx context.Context, transcript string) ([]byte, error) {
	state, err := transcriptState(ctx, s.conn, transcript)
	if err != nil {
		return nil, fmt.Errorf("read the state of a transcript: %w", s.explained(err))
	}
	return state, nil
}

func transcriptState(ctx context.Context, q Conn, transcript string) (state []byte, err error) {
	err = q.QueryRowContext(ctx, `SELECT state FROM transcripts WHERE path = $1`, transcript).Scan(&state)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case len(state) == 0:
		return nil, err
	}
	return state, err
}

// AddCaptured stores what was read from a transcript, and how far that was, in one
// transaction; it returns how many turns were not known. Where the state of the transcript
// is not Before any more, nothing is stored and the error is [ErrMoved].
//
// What becomes of a turn depends on those that came before it alone, never on how they
// were divided into calls:
//
//   - A UUID counts once, in whatever session or transcript it comes again. With another
//     text, the text is replaced, unless the new one is an earlier state of it.
//   - A turn with the Fold of another in its session is counted there. If it comes again
//     with another Fold, it is no longer.
//   - Of more than 2,000 turns of a session those with the highest Rank are kept, of equal
//     ones the first. One that was dropped comes back only with a higher Rank than it had.
//   - All turns of a session have its change: the first by the alphabet of those that were
//     named.
func (s *Store) AddCaptured(ctx context.Context, c Captured) (added int, err error) {
	return s.addCaptured(ctx, c, maxSessionTurns)
}

func (s *Store) addCaptured(ctx context.Context, c Captured, most int) (added int, err error) {
	err = s.write(ctx, Turns, func(tx Conn) error {
		added, err = addCaptured(ctx, tx, c, most)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("store turns: %w", err)
	}
	return added, nil
}

func addCaptured(ctx context.Context, tx Conn, c Captured, most int) (added int, err error) {
	if c.Transcript != "" {
		if err := move(ctx, tx, c); err != nil {
			return 0, err
		}
	}
	k := keeper{ctx: ctx, tx: tx, most: most, shared: c.Shared, sessions: map[string]*kept{}}
	if err := k.setChange(text.Clean(c.Session), c.Change); err != nil {
		return 0, err
	}
	for _, t := range c.Turns {
		if c.Never {
			t = c.stored(t)
			if err := k.exec(`INSERT INTO captured (uuid, session, rank) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, t.UUID, t.Session, int64(gone)); err != nil {
				return 0, err
			}
			continue
		}
		is, err := k.take(c.stored(t))
		if err != nil {
			return 0, err
		}
		if is {
			added++
		}
	}
	if c.Answer != nil {
		is, err := k.storeEventAnswer(c.stored(*c.Answer))
		if err != nil {
			return 0, err
		}
		if is {
			added++
		}
	}
	return added, k.index()
}

// move notes how far a transcript has been read.
func move(ctx context.Context, tx Conn, c Captured) error {
	state, err := transcriptState(ctx, tx, c.Transcript)
	if err != nil {
		return err
	}
	if !bytes.Equal(state, c.Before) {
		return ErrMoved
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO transcripts (path, session, project, state, updated_at) VALUES ($1, $2, $3, $4, $5)
		`+tx.engine.OnConflict("path")+` DO UPDATE SET session = excluded.session, project = excluded.project, state = excluded.state, updated_at = excluded.updated_at`,
		c.Transcript, text.Clean(c.Session), nullable(c.Project), append([]byte{}, c.After...), timeText(time.Now()))
	return err
}

// stored is a turn as it is kept.
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
	t.At = moment(t.At)
	return t
}

// changeName is the name of a change as it stands in tags and before a turn.
func changeName(name string) string {
	return strings.Join(strings.FieldsFunc(text.Clean(name), func(r rune) bool { return r <= ' ' || strings.ContainsRune(",[]", r) }), "-")
}
