package turns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"whence/internal/agent/transcript"
	"whence/internal/spool"
	"whence/internal/store"
	"whence/internal/team"
	"whence/internal/transcripts"
)

// progress is the stored state of a transcript.
type progress struct {
	Cursor transcript.Cursor `json:"cursor"`
	Filter *Filter           `json:"filter"`
}

// beginning returns the state of an unread transcript.
func beginning() progress { return progress{Filter: new(Filter)} }

// maxAttempts limits how often a transcript is read again because another process has read on, or
// has written it anew meanwhile.
const maxAttempts = 10

// errRewritten means that the transcript was written anew, in place, while it was read.
var errRewritten = errors.New("it was written anew while it was read")

// Reading describes a transcript to be read on.
type Reading struct {
	Transcript       string        // its path
	Session, Project string        // of turns whose records name no other
	Answer           *store.Turn   // from an event, see store.Captured
	Skip             bool          // capture nothing of what is new, now or later
	Shared           bool          // others of the team may find the turns
	Team             *team.Replica // the replica that the turns go to; nil: the store is the user's own

	// Route returns the repository of a folder, "" if there is none, and reports whether its turns
	// belong to another store. It is called before anything is stored. Nil: all turns are of Project.
	Route func(cwd string) (project string, elsewhere bool, err error)
}

// ReadTranscript reads on in a transcript and stores its new turns. Without a transcript, it
// stores only the answer.
func ReadTranscript(ctx context.Context, s *store.Store, r Reading) error {
	for attempt := 1; ; attempt++ {
		more, err := r.readOn(ctx, s)
		switch {
		case (errors.Is(err, store.ErrMoved) || errors.Is(err, errRewritten)) && attempt < maxAttempts:
		case err != nil:
			return fmt.Errorf("read the transcript %s: %w", r.Transcript, err)
		case !more:
			return nil
		default:
			attempt = 0
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// Bounds of a part of a transcript that is stored in one transaction.
const (
	maxBatchTurns   = 500
	maxBatchRecords = 20_000
)

// errEnough ends reading for now.
var errEnough = errors.New("the part is full")

// readOn reads a part of a transcript, and reports whether there is more. The answer is stored
// with the last part.
func (r Reading) readOn(ctx context.Context, s *store.Store) (more bool, err error) {
	c := store.Captured{Session: r.Session, Project: r.Project, Answer: r.Answer, Shared: r.Shared}
	src, err := transcripts.Open(ctx, r.Transcript)
	if err != nil {
		return false, err
	}
	if src == nil {
		if c.Answer == nil {
			return false, nil
		}
		return false, r.add(ctx, s, c)
	}
	defer src.Close()
	c.Transcript = r.Transcript
	if c.Before, err = s.TranscriptState(ctx, r.Transcript); err != nil {
		return false, err
	}
	now := beginning()
	if len(c.Before) > 0 && json.Unmarshal(c.Before, &now) != nil {
		now = beginning() // an unknown version; turns that are stored already are not stored again
	}
	start, more, err := now.readOn(ctx, src, r, &c)
	if start == transcript.Anew && err == nil { // the file is another one than before
		now = beginning()
		_, more, err = now.readOn(ctx, src, r, &c)
	}
	if err != nil {
		return false, err
	}
	if same, err := src.Unchanged(); err != nil || !same {
		return false, errors.Join(err, errRewritten)
	}
	if more {
		c.Answer = nil
	}
	if r.Skip { // the state must not contain text either
		now.Filter, c.Never = new(Filter), true
	}
	c.Change = now.Filter.Change()
	if c.After, err = json.Marshal(now); err != nil {
		return false, err
	}
	return more, r.add(ctx, s, c)
}

// add stores what was read. Turns are queued for a team first: queueing them twice is harmless.
func (r Reading) add(ctx context.Context, s *store.Store, c store.Captured) error {
	switch err := r.Team.EnqueueTurns(c); {
	case errors.Is(err, spool.ErrFull): // concerns this store only
		return err
	case err != nil:
		return fmt.Errorf("%w: %w", spool.ErrNotNow, err)
	}
	_, err := s.AddCaptured(ctx, c)
	return err
}

// readOn reads a part and sets the turns of c. It returns where it began, and whether there is
// more.
func (now *progress) readOn(ctx context.Context, src transcripts.Source, of Reading, c *store.Captured) (start transcript.Start, more bool, err error) {
	records := 0
	c.Turns = nil
	at, start, err := src.Read(now.Cursor, func(r transcript.Record) error {
		if records++; records > maxBatchRecords || len(c.Turns) >= maxBatchTurns {
			return errEnough
		}
		project := ""
		if of.Route != nil {
			var elsewhere bool
			var err error
			if project, elsewhere, err = of.Route(r.Cwd); elsewhere || err != nil {
				return errors.Join(err, ctx.Err()) // the filter must not see the record
			}
		}
		for _, t := range now.Filter.Add(r.Map(redactText)) {
			if t.At.IsZero() { // it is not newer than the transcript
				t.At = src.Written()
			}
			turn := storedTurn(t)
			turn.Project = project
			c.Turns = append(c.Turns, turn)
		}
		return ctx.Err()
	})
	now.Cursor = at
	if errors.Is(err, errEnough) {
		return start, true, nil
	}
	return start, false, err
}

// storedTurn converts a turn for the store.
func storedTurn(t Turn) store.Turn {
	return store.Turn{
		Session: t.Session, UUID: t.UUID, Role: t.Role, Kind: string(t.Kind), Text: t.Text, At: t.At, Rank: t.Rank, Fold: Fold(t),
	}
}
