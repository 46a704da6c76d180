package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"whence/internal/capture"
	"whence/internal/knowledge"
	"whence/internal/redact"
	"whence/internal/spool"
	"whence/internal/store"
	"whence/internal/transcript"
)

// Work does the jobs of the spool, and returns how many. If another process is at it, there
// is nothing to do.
func Work(ctx context.Context, home string, getenv func(string) string) (done int, err error) {
	var s *store.Store
	done, err = spool.Drain(ctx, Dir(home), func(_ string, text []byte) error {
		var j Job
		if err := json.Unmarshal(text, &j); err != nil {
			return fmt.Errorf("read a job: %w", err)
		}
		if s == nil {
			opened, err := store.Open(ctx, home)
			if err != nil {
				return err
			}
			s = opened
		}
		return do(ctx, s, j, getenv)
	})
	if s != nil {
		err = errors.Join(err, s.Close())
	}
	if errors.Is(err, spool.ErrBusy) {
		return done, nil
	}
	return done, err
}

// do reads on in the transcripts of a job.
func do(ctx context.Context, s *store.Store, j Job, getenv func(string) string) error {
	c := store.Captured{Session: j.Session, Project: knowledge.Talk(j.Cwd, getenv)}
	whole, last := []string{j.Transcript}, j.Transcript
	if j.SubTranscript != "" {
		whole, last = append(whole, j.SubTranscript), j.SubTranscript
	}
	for _, name := range whole {
		c := c
		if name == last {
			c.Answer = answer(j)
		}
		if err := Read(ctx, s, name, c); err != nil {
			return err
		}
	}
	return nil
}

// answer is the turn of an answer that an event has told; nil if it says nothing.
func answer(j Job) *store.Turn {
	var f capture.Filter
	turns := f.Add(transcript.Record{
		UUID: "told", Session: j.Session, Type: transcript.Assistant, At: j.At,
		Blocks: []transcript.Block{{Kind: transcript.Text, Text: j.Answer}},
	})
	for _, t := range turns {
		stored := storedTurn(t)
		stored.UUID = ""
		return &stored
	}
	return nil
}

// state is how far a transcript was read.
type state struct {
	Cursor transcript.Cursor `json:"cursor"`
	Filter *capture.Filter   `json:"filter"`
}

// attempts is how often a transcript is read again because another process has read on.
const attempts = 10

// Read reads on in a transcript and stores what is new in it. What Captured says of session,
// project and answer counts; a transcript that is not there has no turns but the answer.
func Read(ctx context.Context, s *store.Store, name string, c store.Captured) error {
	for attempt := 1; ; attempt++ {
		more, err := readOn(ctx, s, name, c)
		switch {
		case errors.Is(err, store.ErrMoved) && attempt < attempts:
		case err != nil:
			return fmt.Errorf("read the transcript %s: %w", name, err)
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
func readOn(ctx context.Context, s *store.Store, name string, c store.Captured) (more bool, err error) {
	file, err := open(name)
	if err != nil {
		return false, err
	}
	if file == nil {
		if c.Answer == nil {
			return false, nil
		}
		_, err := s.AddCaptured(ctx, c)
		return false, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	c.Transcript = name
	if c.Before, err = s.TranscriptState(ctx, name); err != nil {
		return false, err
	}
	now := state{Filter: new(capture.Filter)}
	if len(c.Before) > 0 && json.Unmarshal(c.Before, &now) != nil {
		now = state{Filter: new(capture.Filter)} // of another version: what is known is not stored again
	}
	records := 0
	now.Cursor, _, err = transcript.Read(file, info.Size(), now.Cursor, func(r transcript.Record) error {
		if records++; records > recordsAtOnce || len(c.Turns) >= turnsAtOnce {
			return errEnough
		}
		for _, t := range now.Filter.Add(r.Map(withoutSecrets)) {
			c.Turns = append(c.Turns, storedTurn(t))
		}
		return ctx.Err()
	})
	if more = errors.Is(err, errEnough); more {
		c.Answer, err = nil, nil
	}
	if err != nil {
		return false, err
	}
	c.Change = now.Filter.Change()
	if c.After, err = json.Marshal(now); err != nil {
		return false, err
	}
	_, err = s.AddCaptured(ctx, c)
	return more, err
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
	return os.Open(name)
}

func withoutSecrets(text string) string {
	clean, _ := redact.Text(text)
	return clean
}

// storedTurn is a turn as it is stored.
func storedTurn(t capture.Turn) store.Turn {
	return store.Turn{
		Session: t.Session, UUID: t.UUID, Role: t.Role, Kind: string(t.Kind), Text: t.Text, At: t.At, Rank: t.Rank, Fold: capture.Fold(t),
	}
}

// TimeLimit is how long a worker works at most.
const TimeLimit = 10 * time.Minute
