package capture

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whence/internal/agent/transcript"
	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/store"
)

// progress is the stored state of a transcript.
type progress struct {
	Cursor transcript.Cursor `json:"cursor"`
	Filter *filter           `json:"filter"`
	Open   bool              `json:"open"`                // what was read does not end with an answer
	Anew   bool              `json:"rewritten,omitempty"` // places before the cursor are not what they were
}

// progressOf parses a stored state. If it cannot, the transcript counts as unread: turns that are
// stored already are not stored again.
func progressOf(state []byte) progress {
	unread := progress{Filter: new(filter), Open: true}
	if len(state) == 0 {
		return unread
	}
	var now progress
	if json.Unmarshal(state, &now) != nil || now.Filter == nil {
		return unread
	}
	return now
}

// WithoutText returns a stored state without what was said. How far the transcript was read is kept. Earlier failures
// no longer get a fix, and an answer that continues becomes a turn of its own.
func WithoutText(state []byte) []byte {
	now := progressOf(state)
	now.forgetText()
	after, _ := json.Marshal(now) // cannot fail
	return after
}

func (p *progress) forgetText() {
	p.Filter.forget()
	p.Filter.Messages = nil
}

// Limits of a part of a transcript. A part is stored in one transaction, so that other processes need not wait long.
const (
	maxPartTurns   = 50
	maxPartRecords = 20_000
	partPause      = 10 * time.Millisecond // lets events write, too
)

var (
	// errFull ends the reading of a part.
	errFull = errors.New("the part is full")
	// errMissing is returned for a transcript that does not exist.
	errMissing = errors.New("there is no transcript")
	// errUnconsented is returned for a transcript that waits until the user consents to the capture of its agent.
	errUnconsented = errors.New("the user has not consented")
)

// read continues to read a transcript, up to its end. It loads t again before each further part, because events may
// come meanwhile.
func (w *worker) read(t *store.Transcript) error {
	for {
		more, err := w.readPart(t)
		if errors.Is(err, store.ErrMoved) {
			more, err = true, nil
		}
		if err != nil || !more || w.ctx.Err() != nil {
			return err
		}
		time.Sleep(partPause)
		now, isKnown, err := w.store.Transcript(w.ctx, t.Path)
		if err != nil || !isKnown {
			return err
		}
		*t = now
	}
}

// readPart stores a part of a transcript, and reports whether there is more.
func (w *worker) readPart(t *store.Transcript) (more bool, err error) {
	r, more, err := w.reading(*t, w.know)
	if err != nil || r == nil {
		return false, err
	}
	added, err := w.store.AddReadings(w.ctx, []store.Reading{*r})
	w.done.Turns += added
	t.State = r.After
	return more, err
}

// reading reads a part of a transcript, and reports whether there is more; r is nil if there is nothing new. It calls
// know after it has opened the transcript, so that everything in the part was written before.
func (w *worker) reading(t store.Transcript, know func() (*known, error)) (r *store.Reading, more bool, err error) {
	src, err := OpenTranscript(w.ctx, t.Path)
	if src == nil {
		return nil, false, cmp.Or(err, errMissing)
	}
	defer src.Close()
	unread, err := src.Unread(progressOf(t.State).Cursor)
	if err != nil || unread == 0 && t.State != nil {
		return nil, false, err
	}
	if found, err := recordMissed(w.ctx, w.store, w.home); found || err != nil {
		return nil, false, cmp.Or(err, store.ErrMoved)
	}
	k, err := know()
	if err != nil {
		return nil, false, err
	}
	if !slices.ContainsFunc(k.consents, func(c store.Consent) bool { return c.Agent == t.Agent }) {
		return nil, false, errUnconsented
	}
	p := part{
		worker: w, of: t, from: src, tree: home.OuterTree(filepath.Dir(t.Path)), watch: watchOf(t.Watch), known: k, folders: map[string]folders{},
	}
	now := progressOf(t.State)
	anew, err := p.readFrom(&now)
	if anew && (err == nil || errors.Is(err, errFull)) { // the file has been rewritten
		now = progressOf(nil)
		now.Anew = true
		_, err = p.readFrom(&now)
	}
	if more = errors.Is(err, errFull); err != nil && !more {
		return nil, false, err
	}
	if t.Ended && !more && !now.Open {
		now.forgetText()
	}
	after, err := json.Marshal(now)
	if err != nil || bytes.Equal(after, t.State) {
		return nil, false, err
	}
	return &store.Reading{Of: t, After: after, Turns: p.turns, Off: p.off}, more, nil
}

// part is a part of a transcript that is being read. Without any consent for its agent it is not read at all; what was
// said in a project without consent is skipped.
type part struct {
	*known
	worker  *worker
	of      store.Transcript
	from    Source
	tree    string // the work tree that the transcript is in
	watch   watch
	folders map[string]folders

	turns []store.Turn
	off   []string // UUIDs of records that were said under off
}

// readFrom reads on from a state, and sets the turns and UUIDs of the part. It returns errFull when the part is full.
// anew reports whether it began again at the start of the transcript.
func (p *part) readFrom(now *progress) (anew bool, err error) {
	records := 0
	p.turns, p.off = nil, nil
	now.Cursor, anew, err = p.from.Read(now.Cursor, func(r transcript.Record) error {
		if records++; records > maxPartRecords || len(p.turns) >= maxPartTurns {
			return errFull
		}
		project, err := p.projectOf(r.Cwd)
		if err = errors.Join(err, p.worker.ctx.Err()); err != nil { // the filter must not see the record
			return err
		}
		now.Open = isOpen(r, now.Open)
		isEarlier := r.Place < p.watch.Begin && !now.Anew
		if isEarlier || !p.isConsented(project, r.Writer) {
			return nil
		}
		off, err := p.isOff(r, now.Anew)
		if err != nil {
			return err
		}
		if off {
			if len(r.Blocks) > 0 { // a fork may repeat it
				p.off = append(p.off, r.UUID)
			}
			return nil
		}
		turns := now.Filter.Add(r.Map(redactText))
		gone, err := p.gone(uuidsOf(turns)...)
		if err != nil {
			return err
		}
		for _, t := range turns {
			if slices.Contains(gone, t.UUID) {
				now.Filter.forget()
				continue
			}
			if t.At.IsZero() { // at the latest, it was said when the transcript was written
				t.At = p.from.Written()
			}
			if t.Session = redactText(t.Session); t.Session == "" {
				t.Session = p.of.Session
			}
			t.Text = redactText(t.Text) // a secret right before a closing tag was not recognized in the record
			t.Project = project
			p.turns = append(p.turns, t)
		}
		return nil
	})
	now.Cursor.Session, now.Cursor.Cwd = redactText(now.Cursor.Session), redactText(now.Cursor.Cwd)
	return anew, err
}

func uuidsOf(turns []store.Turn) (uuids []string) {
	for _, t := range turns {
		uuids = append(uuids, t.UUID)
	}
	return uuids
}

// isOpen reports whether the agent has yet to answer after a record: anything except its words leads to more. before is
// the result for the record before.
func isOpen(r transcript.Record, before bool) bool {
	if r.Meta || r.Summary || len(r.Blocks) == 0 {
		return before
	}
	return r.Type != transcript.Assistant || r.Blocks[len(r.Blocks)-1].Kind != transcript.Text
}

// projectOf returns the project that the turns of a folder belong to: its repository, or the folder
// itself. If the folder is gone, like a removed worktree, it returns the project of the session.
//
// It does the same for folders outside of the work tree that contains the transcript, if any. Agents can be
// made to keep transcripts in a repository, which may have brought this one, and may speak only for itself.
func (p *part) projectOf(cwd string) (string, error) {
	if cwd == "" || p.tree != "" && home.OuterTree(cwd) != p.tree {
		return p.of.Project, nil
	}
	project, known := p.worker.projects[cwd]
	if !known {
		scope, err := cli.ScopeOf(cwd, cwd)
		if err != nil && !isGone(err) { // unknown for now: no turn is stored
			return "", fmt.Errorf("find the repository of %s: %w", cwd, err)
		}
		project = scope.Turns
		p.worker.projects[cwd] = project
	}
	return cmp.Or(project, p.of.Project), nil
}

func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// variable returns an environment variable for the settings of any session. The agent that has started the
// worker may have set WHENCE_ and GIT_ variables for itself. They do not count: the worker also reads
// transcripts of other agents.
func (w *worker) variable(name string) string {
	if name == "WHENCE_HOME" {
		return w.home
	}
	if strings.HasPrefix(name, "WHENCE_") || strings.HasPrefix(name, "GIT_") {
		return ""
	}
	return w.getenv(name)
}
