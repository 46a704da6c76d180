package notes

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"whence/internal/agent"
	"whence/internal/config"
)

// Folder is the folder of the notes, from the root of the project.
const Folder = ".memory"

// The files in it.
const (
	contextFile   = "context.md"
	findingsFile  = "findings.md"
	decisionsFile = "decisions.md"
	errorsFile    = "errors.log"
	sessionFile   = "session.json"
)

// Kinds are the kinds of notes that can be shown.
var Kinds = []string{"context", "findings", "decisions", "errors"}

// fileOf returns the file of a kind.
func fileOf(kind string) string {
	if kind == "errors" {
		return errorsFile
	}
	return kind + ".md"
}

// Present reports whether a project has notes. If not, only SessionStart has something to do. A
// link does not count as a folder of notes.
func Present(root string) bool {
	info, err := os.Lstat(filepath.Join(root, Folder))
	return err == nil && info.IsDir()
}

// eventRun is an event with what is needed to handle it, under the lock.
type eventRun struct {
	agent.Event
	root    string
	folder  *folder
	config  config.Config
	now     time.Time
	book    *book
	session *session // of the book; not stored if the event has no session
	shown   string   // hash of the notes to inject; "": none
}

// Injection is the text to put before an agent. The zero value has none.
type Injection struct {
	Text string
	// Delivered records that the agent has got the notes, so that they are not repeated; nil if
	// there is nothing to record. It takes as long as an event.
	Delivered func(context.Context) error
}

// handlers handle the events, and return the text to inject.
var handlers = map[string]func(*eventRun) (string, error){
	agent.SessionStart:       begin,
	agent.UserPromptSubmit:   task,
	agent.PostToolUse:        toolDone,
	agent.PostToolUseFailure: toolFailed,
	agent.PreCompact:         compact,
	agent.Stop:               alive,
	agent.SubagentStop:       alive,
	agent.SessionEnd:         alive,
}

// Event updates the notes of a project after an event, and returns what to inject: mostly
// nothing. After injecting it, the caller calls Delivered. The prompt of the event contains only
// the words of the user. Without the setting nothing happens, and without the folder only
// SessionStart does something.
//
// After an error some files may have been written, and the injection is valid.
func Event(ctx context.Context, root string, e agent.Event, c config.Config, now time.Time) (reply Injection, err error) {
	run, known := handlers[e.Name]
	if !c.Notes || !known || e.Name != agent.SessionStart && !Present(root) {
		return Injection{}, nil
	}
	v := &eventRun{Event: e, root: root, config: c, now: now.UTC()}
	err = v.alone(ctx, func() (err error) {
		reply.Text, err = run(v)
		return err
	})
	if v.shown != "" && v.Session != "" {
		reply.Delivered = func(ctx context.Context) error {
			if !Present(root) {
				return nil
			}
			again := &eventRun{Event: agent.Event{Session: v.Session}, root: root, now: v.now}
			return again.alone(ctx, func() error {
				again.session.counter(v.Subagent).Shown = v.shown
				return nil
			})
		}
	}
	return reply, err
}

// alone calls a function under the lock, with the notes opened and the book read, and writes the
// book afterwards.
func (v *eventRun) alone(ctx context.Context, run func() error) (err error) {
	if v.folder, err = openFolder(v.root); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.folder.Close()) }()
	if v.Name == agent.SessionStart {
		if err := v.folder.make(); err != nil {
			return err
		}
	}
	return v.folder.alone(ctx, func() error {
		var unread error
		v.book, unread = v.folder.readBook()
		v.session = v.book.session(v.Session, v.now)
		return errors.Join(unread, run(), v.folder.writeBook(v.book))
	})
}

// alive handles an event that only shows that the session is active.
func alive(*eventRun) (string, error) { return "", nil }

// date returns the day of the event.
func (v *eventRun) date() string { return v.now.Format(time.DateOnly) }
