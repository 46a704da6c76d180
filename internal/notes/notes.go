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

// Present tells whether a project has notes. It costs one look at the folder, and where it
// is false there is nothing to do at any event but SessionStart.
func Present(root string) bool {
	info, err := os.Stat(filepath.Join(root, Folder))
	return err == nil && info.IsDir()
}

// visit is an event with what is needed to answer it, while no other one is at work.
type visit struct {
	agent.Event
	root    string
	folder  *folder
	config  config.Config
	now     time.Time
	book    *book
	session *session // of the book; one that nobody keeps if the event has no session
}

// handlers are what is done at each event.
var handlers = map[string]func(*visit) (told string, err error){
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
// to be told: mostly nothing. The prompt of an event holds the words of the user alone.
// Without the setting, and without the folder but at SessionStart, nothing happens.
//
// An error does not mean that nothing was written: one file may be out of reach, and the
// others not. What is to be told is good in any case.
func Event(ctx context.Context, root string, e agent.Event, c config.Config, now time.Time) (told string, err error) {
	run, known := handlers[e.Name]
	if !c.Notes || !known || e.Name != agent.SessionStart && !Present(root) {
		return "", nil
	}
	f, err := openFolder(root)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if e.Name == agent.SessionStart {
		if err := f.make(); err != nil {
			return "", err
		}
	}
	err = f.alone(ctx, func() error {
		v := &visit{Event: e, root: root, folder: f, config: c, now: now.UTC()}
		var unread, failed error
		v.book, unread = f.readBook()
		v.session = v.book.session(e.Session, v.now)
		told, failed = run(v)
		return errors.Join(unread, failed, f.writeBook(v.book))
	})
	return told, err
}

// alive is an event that tells no more than that the session goes on.
func alive(*visit) (string, error) { return "", nil }

// date is how days are written.
func (v *visit) date() string { return v.now.Format(time.DateOnly) }
