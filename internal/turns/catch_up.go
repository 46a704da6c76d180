package turns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
	"whence/internal/cli"
	"whence/internal/store"
	"whence/internal/transcripts"
)

// Bounds of one catch-up, which reads the newest transcripts first. The next one reads the rest.
const (
	maxCatchUpAge         = 14 * 24 * time.Hour
	maxCatchUpTranscripts = 200
	maxCatchUpBytes       = 64 << 20
	maxHeadRecords        = 50 // searched for the time and the folder of a session
)

// NewCatchUp returns the job of a session that begins: to read the transcripts of other sessions
// of the project whose events were lost, because a process was killed, the machine died, or
// the disk was full. It returns false if it is not known where they are.
func NewCatchUp(e agent.Event, getenv func(string) string, at time.Time) (Job, bool) {
	j := NewJob(e, getenv, at)
	j.CatchUp = true
	return j, transcripts.Folder(j.Transcript) != ""
}

// catchUp reads the other transcripts of the project in which a session begins.
//
// A transcript is read if an event of it has reached the store before, or if it began while
// capture was known to be on. So nothing is captured from before whence was installed, or
// from times at which capture was off. If capture is off now, nothing is captured, and the
// transcripts count as read.
func (w *worker) catchUp(o *openStore, j Job) error {
	since, err := o.since(w.ctx, j)
	if err != nil {
		return err
	}
	names, err := transcripts.Siblings(w.ctx, j.Transcript, j.At.Add(-maxCatchUpAge))
	if err != nil {
		return fmt.Errorf("look for transcripts: %w", err)
	}
	read, transcripts := int64(0), 0
	for _, name := range names {
		unread, known, err := o.unread(w.ctx, name)
		if err != nil {
			return err
		}
		if unread <= 0 || transcripts > 0 && read+unread > maxCatchUpBytes {
			continue
		}
		at, cwd := beginningOf(w.ctx, name)
		began := !since.IsZero() && !at.IsZero() && !at.Before(since)
		if !known && (j.Skip || !began || name == j.Transcript) || cwd == "" || cli.Root(cwd) != cli.Root(j.Cwd) {
			continue
		}
		if transcripts == maxCatchUpTranscripts {
			break
		}
		transcripts++
		read += unread
		r := w.reading(o, j, name)
		r.Session = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)) // of records that name none
		switch err := ReadTranscript(w.ctx, o.store, r); {
		case err == nil:
		case store.Unusable(err) || w.ctx.Err() != nil:
			return err
		default: // the others are still read
			w.faults = append(w.faults, err)
		}
	}
	if j.Skip {
		return nil
	}
	return o.register(w.ctx, j)
}

// captureWindow is the state that the store keeps for a folder of transcripts.
type captureWindow struct {
	Since time.Time `json:"since,omitzero"` // capture has been on; zero: it is off
	Off   time.Time `json:"off,omitzero"`   // when capture was last seen to be off
}

// since returns when capture was first known to be on in the folder of a transcript, and stores
// whether it is on now. If a clock was set back, the time moves back too, so that sessions of
// that time are found, but never past a time at which capture was off.
func (o *openStore) since(ctx context.Context, j Job) (time.Time, error) {
	key := windowOf(j)
	for attempt := 1; ; attempt++ {
		before, err := o.store.TranscriptState(ctx, key)
		if err != nil {
			return time.Time{}, err
		}
		var now captureWindow
		_ = json.Unmarshal(before, &now) // an unknown version counts as none
		was := now
		switch {
		case j.Skip:
			now = captureWindow{Off: j.At}
		case now.Since.IsZero() || j.At.Before(now.Since) && j.At.After(now.Off):
			now.Since = j.At
		}
		if now == was && before != nil {
			return now.Since, nil
		}
		err = o.setState(ctx, store.Captured{Transcript: key, Before: before, Session: key, Project: j.Project}, now)
		if !errors.Is(err, store.ErrMoved) || attempt == maxAttempts {
			return now.Since, err
		}
	}
}

// windowOf returns the key of the captureWindow of a job: the folder of its transcripts, and the
// project if the folder has those of all projects.
func windowOf(j Job) string {
	folder := transcripts.Folder(j.Transcript)
	key := folder + string(filepath.Separator)
	if folder != filepath.Dir(j.Transcript) {
		key += cli.Root(j.Cwd)
	}
	return key
}

// setState stores the state of a transcript, unless another process has changed it.
func (o *openStore) setState(ctx context.Context, c store.Captured, state any) (err error) {
	if c.After, err = json.Marshal(state); err == nil {
		_, err = o.store.AddCaptured(ctx, c)
	}
	return err
}

// register stores that a session has begun, so that its transcript is found without another
// event.
func (o *openStore) register(ctx context.Context, j Job) error {
	known, err := o.store.TranscriptState(ctx, j.Transcript)
	if err != nil || known != nil {
		return err
	}
	err = o.setState(ctx, store.Captured{Transcript: j.Transcript, Session: j.Session, Project: j.Project}, beginning())
	if errors.Is(err, store.ErrMoved) { // it has been read meanwhile
		return nil
	}
	return err
}

// unread returns the number of unread bytes of a transcript, and whether the store knows it.
func (o *openStore) unread(ctx context.Context, name string) (bytes int64, known bool, err error) {
	src, err := o.store.TranscriptState(ctx, name)
	if err != nil {
		return 0, false, err
	}
	t, err := transcripts.Open(ctx, name)
	if t == nil {
		return 0, false, err // it has gone
	}
	defer t.Close()
	var at progress
	_ = json.Unmarshal(src, &at) // an unknown version is read from the beginning
	bytes, err = t.Unread(at.Cursor)
	return bytes, src != nil, err
}

// beginningOf returns when and where a session began, according to its first records.
func beginningOf(ctx context.Context, name string) (at time.Time, cwd string) {
	t, err := transcripts.Open(ctx, name)
	if err != nil || t == nil {
		return at, ""
	}
	defer t.Close()
	records := 0
	_, _, _ = t.Read(transcript.Cursor{}, func(r transcript.Record) error {
		if at.IsZero() {
			at = r.At
		}
		if cwd == "" {
			cwd = r.Cwd
		}
		if records++; records == maxHeadRecords || !at.IsZero() && cwd != "" {
			return errEnough
		}
		return nil
	})
	return at, cwd
}
