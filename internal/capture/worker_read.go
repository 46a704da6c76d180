package capture

import (
	"bytes"
	"encoding/json"
	"errors"
	"time"

	"whence/internal/agent/transcript"
	"whence/internal/store"
)

// progress is the stored state of a transcript.
type progress struct {
	Cursor transcript.Cursor `json:"cursor"`
	Filter *Filter           `json:"filter"`
	Open   bool              `json:"open,omitempty"` // it does not end with an answer
}

// progressOf reads a stored state. An unknown one counts as unread: turns that are stored
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
	name    string
	missing bool // there is none
	open    bool // it does not end with an answer
	cursor  transcript.Cursor
	unread  int64     // bytes, as of a line without an end
	until   time.Time // an answer may come
}

// Bounds of a part of a transcript, which is stored in one transaction: others need not wait long.
const (
	maxPartTurns   = 50
	maxPartRecords = 20_000
	partPause      = 10 * time.Millisecond // lets events write, too
)

// errFull ends reading for now.
var errFull = errors.New("the part is full")

// read reads on in a transcript up to its end.
func (w *worker) read(t store.Transcript) (end ending, err error) {
	for w.ctx.Err() == nil {
		more := false
		if end, more, err = w.readPart(&t); err != nil || !more {
			return end, err
		}
		time.Sleep(partPause)
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
	end = ending{name: t.Path, open: now.Open, cursor: now.Cursor}
	if end.unread, err = src.Unread(now.Cursor); err != nil || end.unread == 0 && t.State != nil {
		return end, false, err
	}
	captures, err := w.captures(*t)
	if err != nil {
		return end, false, err
	}
	p := part{worker: w, of: *t, from: src, project: w.projectsFor(*t), skip: !captures, gone: map[string]bool{}}
	if now, more, err = p.read(); err != nil {
		return end, false, err
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
	skip    bool
	gone    map[string]bool // UUIDs of turns that are never to be stored
	turns   []store.Turn
}

// read reads until the part is full, and reports whether there is more. It sets the turns.
func (p *part) read() (now progress, more bool, err error) {
	for again := true; again; {
		now = progressOf(p.of.State)
		anew, err := p.readFrom(&now)
		if anew && (err == nil || errors.Is(err, errFull)) { // the file is another one than before
			now = progressOf(nil)
			_, err = p.readFrom(&now)
		}
		if more = errors.Is(err, errFull); err != nil && !more {
			return now, false, err
		}
		if again, err = p.findGone(); err != nil {
			return now, false, err
		}
	}
	return now, more, nil
}

// findGone finds out which turns are never to be stored, and reports whether the part is to be read again
// without them: a fork repeats what was said while capture was off, and the state and later turns must
// not contain it either.
func (p *part) findGone() (again bool, err error) {
	if p.skip {
		return false, nil
	}
	gone, err := p.worker.store.Gone(p.worker.ctx, p.turns)
	for _, uuid := range gone {
		p.gone[uuid] = true
	}
	return len(gone) > 0, err
}

func (p *part) readFrom(now *progress) (anew bool, err error) {
	records := 0
	p.turns = nil
	now.Cursor, anew, err = p.from.Read(now.Cursor, func(r transcript.Record) error {
		if records++; records > maxPartRecords || len(p.turns) >= maxPartTurns {
			return errFull
		}
		project, err := p.project(r.Cwd)
		if err = errors.Join(err, p.worker.ctx.Err()); err != nil { // the filter must not see the record
			return err
		}
		for _, t := range now.Filter.Add(r.Map(redactText)) {
			if p.gone[t.UUID] {
				now.Filter = new(Filter)
				continue
			}
			if t.At.IsZero() { // it is not newer than the transcript
				t.At = p.from.Written()
			}
			if t.Session = redactText(t.Session); t.Session == "" {
				t.Session = p.of.Session
			}
			t.Text = redactText(t.Text) // a secret just before the tag that ends it was not seen in the record
			t.Project = project
			p.turns = append(p.turns, t)
		}
		if p.skip {
			now.Filter.Seen = nil // all that comes again is to be skipped
		}
		now.Open = isOpen(r, now.Open)
		return nil
	})
	now.Cursor.Session, now.Cursor.Cwd = redactText(now.Cursor.Session), redactText(now.Cursor.Cwd)
	return anew, err
}

// isOpen reports whether the agent is still to answer after a record: all but its words lead to more.
func isOpen(r transcript.Record, before bool) bool {
	if r.Meta || r.Summary || len(r.Blocks) == 0 {
		return before
	}
	return r.Type != transcript.Assistant || r.Blocks[len(r.Blocks)-1].Kind != transcript.Text
}
