package turns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
	"whence/internal/cli"
	"whence/internal/store"
)

// Bounds of one look at a folder of transcripts, the newest first. What is left is read at the
// next.
const (
	maxLookAge         = 14 * 24 * time.Hour
	maxLookTranscripts = 200
	maxLookBytes       = 64 << 20
	maxHeadRecords     = 50 // in which a transcript has to say when and where it began
)

// NewLook returns the job of a session that begins: to find what was said in other sessions
// of the project and lost its event, because a process was killed, the machine died, or the
// disk was full. False: the agent keeps no folder of transcripts for a project alone.
func NewLook(e agent.Event, getenv func(string) string, at time.Time) (Job, bool) {
	j := NewJob(e, getenv, at)
	j.Look = true
	return j, e.Agent == agent.Claude && filepath.Ext(e.Transcript) == transcriptExtension
}

// transcriptExtension ends the names of transcripts.
const transcriptExtension = ".jsonl"

// look reads on in the transcripts beside that of a session that begins.
//
// A transcript is read if any event of it ever reached the store, or if it began after
// capture was first seen to be on in its folder and has been since. So nothing is read that
// was said before this program was installed, or while capture was off. Where it is off now,
// nothing that is read is kept, now or later.
func (w *worker) look(o *opened, j Job) error {
	dir := filepath.Dir(j.Transcript)
	since, err := o.since(w.ctx, j)
	if err != nil {
		return err
	}
	names, err := transcriptsIn(dir, j.At)
	if err != nil {
		return err
	}
	read, transcripts := int64(0), 0
	for _, name := range names {
		behind, known, err := o.behind(w.ctx, name)
		if err != nil {
			return err
		}
		if behind <= 0 || transcripts > 0 && read+behind > maxLookBytes {
			continue
		}
		at, cwd := beginningOf(name)
		began := !since.IsZero() && !at.IsZero() && !at.Before(since)
		if !known && (j.Skip || !began || name == j.Transcript) || cwd == "" || cli.Root(cwd) != cli.Root(j.Cwd) {
			continue
		}
		if transcripts == maxLookTranscripts {
			break
		}
		transcripts++
		read += behind
		r := w.reading(o, j, name)
		r.Session = strings.TrimSuffix(filepath.Base(name), transcriptExtension)
		switch err := ReadTranscript(w.ctx, o.store, r); {
		case err == nil:
		case store.Unusable(err) || w.ctx.Err() != nil:
			return err
		default: // it keeps no other from being read
			w.faults = append(w.faults, err)
		}
	}
	if j.Skip {
		return nil
	}
	return o.meet(w.ctx, j)
}

// folderState is what the store knows of a folder of transcripts.
type folderState struct {
	Since time.Time `json:"since,omitzero"` // capture has been on; zero: it is off
	Off   time.Time `json:"off,omitzero"`   // when capture was last seen to be off
}

// since returns since when capture is known to have been on in the folder of a transcript, and
// notes that it is, or is not. After a clock was set back the time moves back too, so that
// sessions of that time are found; but never to a time at which capture was off since.
func (o *opened) since(ctx context.Context, j Job) (time.Time, error) {
	key := filepath.Dir(j.Transcript) + string(filepath.Separator)
	for attempt := 1; ; attempt++ {
		before, err := o.store.TranscriptState(ctx, key)
		if err != nil {
			return time.Time{}, err
		}
		var now folderState
		_ = json.Unmarshal(before, &now) // of another version: as if it were unknown
		was := now
		switch {
		case j.Skip:
			now = folderState{Off: j.At}
		case now.Since.IsZero() || j.At.Before(now.Since) && j.At.After(now.Off):
			now.Since = j.At
		}
		if now == was && before != nil {
			return now.Since, nil
		}
		after, err := json.Marshal(now)
		if err != nil {
			return time.Time{}, err
		}
		_, err = o.store.AddCaptured(ctx, store.Captured{Transcript: key, Before: before, After: after, Session: key, Project: j.Project})
		if !errors.Is(err, store.ErrMoved) || attempt == attempts {
			return now.Since, err
		}
	}
}

// meet notes that a session has begun, so that what is said in it is found without any other
// event.
func (o *opened) meet(ctx context.Context, j Job) error {
	known, err := o.store.TranscriptState(ctx, j.Transcript)
	if err != nil || known != nil {
		return err
	}
	after, err := json.Marshal(beginning())
	if err != nil {
		return err
	}
	_, err = o.store.AddCaptured(ctx, store.Captured{Transcript: j.Transcript, After: after, Session: j.Session, Project: j.Project})
	if errors.Is(err, store.ErrMoved) { // it has been read meanwhile
		return nil
	}
	return err
}

// behind returns how many bytes of a transcript were not read, and whether any event of it has
// reached the store.
func (o *opened) behind(ctx context.Context, name string) (bytes int64, known bool, err error) {
	src, err := o.store.TranscriptState(ctx, name)
	if err != nil {
		return 0, false, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return 0, false, nil // it has gone
	}
	var at progress
	_ = json.Unmarshal(src, &at) // of another version: it is read from its beginning
	if info.Size() < at.Cursor.Offset {
		return info.Size(), src != nil, nil // written anew
	}
	return info.Size() - at.Cursor.Offset, src != nil, nil
}

// transcriptsIn lists the transcripts in a folder that have changed lately, the newest first.
// A folder that is missing has none.
func transcriptsIn(dir string, now time.Time) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("look for transcripts: %w", err)
	}
	changed := map[string]time.Time{}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || filepath.Ext(e.Name()) != transcriptExtension || now.Sub(info.ModTime()) > maxLookAge {
			continue
		}
		name := filepath.Join(dir, e.Name())
		names, changed[name] = append(names, name), info.ModTime()
	}
	slices.SortFunc(names, func(a, b string) int { return changed[b].Compare(changed[a]) })
	return names, nil
}

// beginningOf returns when and where the session of a transcript began, as far as its first
// records say.
func beginningOf(name string) (at time.Time, cwd string) {
	file, err := open(name)
	if err != nil || file == nil {
		return at, ""
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return at, ""
	}
	records := 0
	_, _, _ = transcript.Read(file, info.Size(), transcript.Cursor{}, func(r transcript.Record) error {
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
