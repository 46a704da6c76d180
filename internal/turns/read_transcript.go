package turns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"whence/internal/agent/transcript"
	"whence/internal/spool"
	"whence/internal/store"
	"whence/internal/team"
)

// progress is how far a transcript was read.
type progress struct {
	Cursor transcript.Cursor `json:"cursor"`
	Filter *Filter           `json:"filter"`
}

// beginning is the state of a transcript of which nothing was read.
func beginning() progress { return progress{Filter: new(Filter)} }

// attempts is how often a transcript is read again because another process has read on.
const attempts = 10

// Reading is a transcript that is to be read on.
type Reading struct {
	Transcript       string                  // its path
	Session, Project string                  // of the turns whose records tell no other
	ProjectOf        func(cwd string) string // the repository that a folder is in, "" if it is in none; nil: Project
	Answer           *store.Turn             // that an event has told, see store.Captured
	Skip             bool                    // nothing is kept of what is new, now or later
	Shared           bool                    // others of the team may find the turns
	Team             *team.Replica           // whose copy it is stored in, and that is told; nil: none

	// Elsewhere tells of a folder whether what was said in it is for another store: then it is
	// not kept in this one. It is called before anything is stored of what was read. Nil: none
	// is.
	Elsewhere func(cwd string) (bool, error)
}

// ReadTranscript reads on in a transcript and stores what is new in it. A transcript that is not there
// has no turns but the answer.
func ReadTranscript(ctx context.Context, s *store.Store, r Reading) error {
	for attempt := 1; ; attempt++ {
		more, err := r.readOn(ctx, s)
		switch {
		case errors.Is(err, store.ErrMoved) && attempt < attempts:
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

// How much is stored at once: so many turns, of so many records.
const (
	turnsAtOnce   = 500
	recordsAtOnce = 20_000
)

// errEnough ends reading for now.
var errEnough = errors.New("enough for now")

// readOn reads a part of a transcript, and tells whether there is more. The answer is
// stored with the last part.
func (r Reading) readOn(ctx context.Context, s *store.Store) (more bool, err error) {
	c := store.Captured{Session: r.Session, Project: r.Project, Answer: r.Answer, Shared: r.Shared}
	file, err := open(r.Transcript)
	if err != nil {
		return false, err
	}
	if file == nil {
		if c.Answer == nil {
			return false, nil
		}
		return false, r.keep(ctx, s, c)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	c.Transcript = r.Transcript
	if c.Before, err = s.TranscriptState(ctx, r.Transcript); err != nil {
		return false, err
	}
	now := beginning()
	if len(c.Before) > 0 && json.Unmarshal(c.Before, &now) != nil {
		now = beginning() // of another version: what is known is not stored again
	}
	start, more, err := now.readOn(ctx, file, info, r, &c)
	if start == transcript.Anew && err == nil { // what was read before says nothing of what stands there now
		now = beginning()
		_, more, err = now.readOn(ctx, file, info, r, &c)
	}
	if err != nil {
		return false, err
	}
	if more {
		c.Answer = nil
	}
	if r.Skip { // the state holds no word either
		now.Filter, c.Never = new(Filter), true
	}
	c.Change = now.Filter.Change()
	if c.After, err = json.Marshal(now); err != nil {
		return false, err
	}
	return more, r.keep(ctx, s, c)
}

// keep stores what was read. A team is told first: what it is told twice counts once.
func (r Reading) keep(ctx context.Context, s *store.Store, c store.Captured) error {
	if r.Team != nil {
		switch err := team.EnqueueTurns(r.Team, c); {
		case errors.Is(err, spool.ErrFull): // for this store alone
			return err
		case err != nil:
			return fmt.Errorf("%w: %w", spool.ErrNotNow, err)
		}
	}
	_, err := s.AddCaptured(ctx, c)
	return err
}

// readOn reads a part, puts its turns in the place of those of c, and tells where it began
// and whether there is more.
func (now *progress) readOn(ctx context.Context, file *os.File, info os.FileInfo, of Reading, c *store.Captured) (start transcript.Start, more bool, err error) {
	records := 0
	c.Turns = nil
	at, stats, err := transcript.Read(file, info.Size(), now.Cursor, func(r transcript.Record) error {
		if records++; records > recordsAtOnce || len(c.Turns) >= turnsAtOnce {
			return errEnough
		}
		if of.Elsewhere != nil {
			if elsewhere, err := of.Elsewhere(r.Cwd); elsewhere || err != nil {
				return errors.Join(err, ctx.Err()) // the filter would remember what it has seen
			}
		}
		for _, t := range now.Filter.Add(r.Map(withoutSecrets)) {
			if t.At.IsZero() { // when it was written at the latest
				t.At = info.ModTime()
			}
			turn := storedTurn(t)
			if of.ProjectOf != nil && r.Cwd != "" {
				turn.Project = of.ProjectOf(r.Cwd)
			}
			c.Turns = append(c.Turns, turn)
		}
		return ctx.Err()
	})
	now.Cursor = at
	if errors.Is(err, errEnough) {
		return stats.Start, true, nil
	}
	return stats.Start, false, err
}

// open opens a transcript; nil if there is none. What is no file is none.
func open(name string) (*os.File, error) {
	if name == "" {
		return nil, nil
	}
	info, err := os.Stat(name)
	if errors.Is(err, os.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	file, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) { // since a moment ago
		return nil, nil
	}
	return file, err
}

// storedTurn is a turn as it is stored.
func storedTurn(t Turn) store.Turn {
	return store.Turn{
		Session: t.Session, UUID: t.UUID, Role: t.Role, Kind: string(t.Kind), Text: t.Text, At: t.At, Rank: t.Rank, Fold: Fold(t),
	}
}
