package capture

import (
	"bytes"
	"encoding/json"
	"errors"

	"whence/internal/agent/transcript"
	"whence/internal/store"
)

// progress is the stored state of a transcript.
type progress struct {
	Cursor transcript.Cursor `json:"cursor"`
	Filter *Filter           `json:"filter"`
	Open   bool              `json:"open,omitempty"` // it does not end with an answer
}

// progressOf reads a stored state. An unknown one is that of an unread transcript: turns that are stored
// already are not stored again.
func progressOf(state []byte) progress {
	now := progress{Filter: new(Filter)}
	if len(state) > 0 && json.Unmarshal(state, &now) != nil {
		return progress{Filter: new(Filter)}
	}
	return now
}

// ending is where a transcript ends for now.
type ending struct {
	missing bool // there is none
	open    bool // it does not end with an answer
	cursor  transcript.Cursor
	unread  int64 // bytes, as of a line without an end
}

// Bounds of a part of a transcript, which is stored in one transaction: others need not wait long.
const (
	maxPartTurns   = 100
	maxPartRecords = 20_000
)

var (
	// errFull ends reading for now.
	errFull = errors.New("the part is full")
	// errRewritten means that the transcript was written anew, in place, while it was read.
	errRewritten = errors.New("it was written anew while it was read")
)

// maxAttempts limits how often a part is read again because the transcript was rewritten meanwhile.
const maxAttempts = 10

// read reads on in a transcript up to its end.
func (w *worker) read(t store.Transcript) (end ending, err error) {
	for attempt := 1; w.ctx.Err() == nil; attempt++ {
		more := false
		end, more, err = w.readPart(&t)
		if errors.Is(err, errRewritten) && attempt < maxAttempts {
			continue
		}
		if err != nil || !more {
			return end, err
		}
		attempt = 0
	}
	return end, w.ctx.Err()
}

// readPart stores a part of a transcript, and reports whether there is more.
func (w *worker) readPart(t *store.Transcript) (end ending, more bool, err error) {
	src, err := OpenTranscript(w.ctx, t.Path)
	if src == nil {
		return ending{missing: err == nil}, false, err
	}
	defer src.Close()
	now := progressOf(t.State)
	end = ending{open: now.Open, cursor: now.Cursor}
	if end.unread, err = src.Unread(now.Cursor); err != nil || end.unread == 0 && t.State != nil {
		return end, false, err
	}
	captures, err := w.settings.capture(*t)
	if err != nil {
		return end, false, err
	}
	p := part{worker: w, of: *t, from: src, project: w.projectsFor(*t)}
	start, err := p.read(&now)
	if start == transcript.Anew && (err == nil || errors.Is(err, errFull)) { // the file is another one than before
		now = progressOf(nil)
		_, err = p.read(&now)
	}
	more = errors.Is(err, errFull)
	if err != nil && !more {
		return end, false, err
	}
	if same, err := src.Unchanged(); err != nil || !same {
		return end, false, errors.Join(err, errRewritten)
	}
	if !captures { // the state must not contain text either
		now.Filter = new(Filter)
	}
	after, err := json.Marshal(now)
	if err != nil {
		return end, false, err
	}
	end.open, end.cursor = now.Open, now.Cursor
	if end.unread, err = src.Unread(now.Cursor); err != nil || bytes.Equal(after, t.State) {
		return end, false, err
	}
	added, err := w.store.AddReading(w.ctx, store.Reading{Path: t.Path, Before: t.State, After: after, Turns: p.turns, Skip: !captures})
	w.done.Turns += added
	t.State = after
	return end, more, err
}

// part is a part of a transcript that is being read.
type part struct {
	worker  *worker
	of      store.Transcript
	from    Source
	project func(cwd string) (string, error)
	turns   []store.Turn
}

// read reads until the part is full, and sets its turns.
func (p *part) read(now *progress) (start transcript.Start, err error) {
	records := 0
	p.turns = nil
	now.Cursor, start, err = p.from.Read(now.Cursor, func(r transcript.Record) error {
		if records++; records > maxPartRecords || len(p.turns) >= maxPartTurns {
			return errFull
		}
		project, err := p.project(r.Cwd)
		if err = errors.Join(err, p.worker.ctx.Err()); err != nil { // the filter must not see the record
			return err
		}
		for _, t := range now.Filter.Add(r.Map(redactText)) {
			if t.At.IsZero() { // it is not newer than the transcript
				t.At = p.from.Written()
			}
			if t.Session = redactText(t.Session); t.Session == "" {
				t.Session = p.of.Session
			}
			t.Project = project
			p.turns = append(p.turns, t)
		}
		now.Open = isOpen(r, now.Open)
		return nil
	})
	return start, err
}

// isOpen reports whether the agent is still to answer after a record: all but its words lead to more.
func isOpen(r transcript.Record, before bool) bool {
	if r.Meta || r.Summary || len(r.Blocks) == 0 {
		return before
	}
	return r.Type != transcript.Assistant || r.Blocks[len(r.Blocks)-1].Kind != transcript.Text
}
