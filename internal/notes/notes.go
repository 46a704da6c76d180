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

// Folder is where the notes lie, from the root of the project.
const Folder = ".memory"

// The files in it.
const (
	contextFile   = "context.md"
	findingsFile  = "findings.md"
	decisionsFile = "decisions.md"
	errorsFile    = "errors.log"
	sessionFile   = "session.json"
)

// Kinds are what can be shown, each with its file.
var Kinds = []string{"context", "findings", "decisions", "errors"}

// fileOf is the file of a kind.
func fileOf(kind string) string {
	if kind == "errors" {
		return errorsFile
	}
	return kind + ".md"
}

// Present reports whether a project has notes. It costs one look at the folder, and where it
// is false there is nothing to do at any event but SessionStart. A link is no folder of notes.
func Present(root string) bool {
	info, err := os.Lstat(filepath.Join(root, Folder))
	return err == nil && info.IsDir()
}

// Check returns what is wrong with the folder of the notes, if there is one.
func Check(root string) error {
	f, err := openFolder(root)
	if err != nil {
		return err
	}
	return f.Close()
}

// eventRun is an event with what is needed to answer it, while no other one is at work.
type eventRun struct {
	agent.Event
	root    string
	folder  *folder
	config  config.Config
	now     time.Time
	book    *book
	session *session // of the book; one that nobody keeps if the event has no session
	shown   string   // a hash of the notes that its agent is told; "" if they are not
}

// Injection is what an agent is to be told. The zero value is nothing.
type Injection struct {
	Text string
	// Delivered notes that the agent was told, so that it is not told the same again; nil if
	// there is nothing to note. It takes as long as an event does.
	Delivered func(context.Context) error
}

// handlers are what is done at each event.
var handlers = map[string]func(*eventRun) (reply string, err error){
	agent.SessionStart:       begin,
	agent.UserPromptSubmit:   task,
	agent.PostToolUse:        toolDone,
	agent.PostToolUseFailure: toolFailed,
	agent.PreCompact:         compact,
	agent.Stop:               alive,
	agent.SubagentStop:       alive,
	agent.SessionEnd:         alive,
}

// Event does what an event means for the notes of a project, and returns what its agent is
// to be told: mostly nothing. Whoever tells it calls Given. The prompt of an event holds the words of the user alone.
// Without the setting, and without the folder but at SessionStart, nothing happens.
//
// An error does not mean that nothing was written: one file may be out of reach, and the
// others not. What is to be told is good in any case.
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

// alone calls a function while no other process is at work in the project, with its notes
// opened, and its book read before and written behind it.
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

// alive is an event that tells no more than that the session goes on.
func alive(*eventRun) (string, error) { return "", nil }

// date is how days are written.
func (v *eventRun) date() string { return v.now.Format(time.DateOnly) }
