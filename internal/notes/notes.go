package notes

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
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

// headings are the files that a session creates if they are missing, with their first lines,
// which do not count as content.
var headings = map[string]string{
	contextFile:   "# Context\n",
	findingsFile:  "# Findings\n",
	decisionsFile: "# Decisions\n",
	errorsFile:    "",
}

// Present reports whether a project has notes. If not, only SessionStart has something to do. A
// link does not count as a folder of notes.
func Present(root string) bool {
	info, err := os.Lstat(filepath.Join(root, Folder))
	return err == nil && info.IsDir()
}

// event is an event with what is needed to handle it.
type event struct {
	agent.Event
	root   string
	folder *folder
	config config.Config
	now    time.Time
}

// open prepares the handling of an event. It returns nil if there is nothing to do: notes are off, the
// event adds nothing to them, or there is no folder and no session begins.
func open(root string, e agent.Event, c config.Config, now time.Time) (v *event, err error) {
	known := []string{agent.SessionStart, agent.UserPromptSubmit, agent.PostToolUse, agent.PostToolUseFailure}
	if !c.Notes || !slices.Contains(known, e.Name) || e.Name != agent.SessionStart && !Present(root) {
		return nil, nil
	}
	v = &event{Event: e, root: root, config: c, now: now}
	if v.folder, err = openFolder(root); err != nil {
		return nil, err
	}
	if e.Name == agent.SessionStart {
		err = v.folder.make()
	}
	return v, err
}

// Event updates the notes of a project after an event, and returns what to inject: mostly nothing.
// A failure was recorded before, by [Record].
//
// After an error some files may have been written, and the injection is valid.
func Event(ctx context.Context, root string, e agent.Event, c config.Config, now time.Time) (inject string, err error) {
	v, err := open(root, e, c, now)
	if v == nil {
		return "", err
	}
	defer func() { err = errors.Join(err, v.folder.Close()) }()
	if err != nil {
		return "", err
	}
	isDue := e.Name == agent.SessionStart
	unlocked := v.folder.alone(ctx, func() error {
		b, damaged := v.folder.readBook()
		unread := b == nil
		if unread {
			b = &book{}
		}
		s := b.session(v.Session, v.Subagent, v.now)
		var failed error
		inject, failed = v.update(s)
		if e.Name == agent.PostToolUse || e.Name == agent.PostToolUseFailure {
			isDue = b.count(s, c.NotesRefresh)
		}
		if unread {
			return errors.Join(damaged, failed)
		}
		return errors.Join(damaged, failed, v.folder.writeBook(b))
	})
	var unread error
	if isDue {
		var text string
		text, unread = v.folder.injection()
		inject += text
	}
	if !c.Injection {
		inject = ""
	}
	return inject, errors.Join(unlocked, unread)
}

// update writes what an event adds to the notes, and returns what the agent is shown of it. The caller
// holds the lock.
func (v *event) update(s *session) (shown string, err error) {
	switch v.Name {
	case agent.SessionStart:
		return "", v.createFiles()
	case agent.UserPromptSubmit:
		return "", v.noteTask(s)
	case agent.PostToolUse:
		return "", v.noteChanges()
	}
	shown, err = v.learn()
	return shown, errors.Join(err, v.folder.rotate())
}

// createFiles creates the files that are missing.
func (v *event) createFiles() (all error) {
	for name, text := range headings {
		if _, err := v.folder.notes.Lstat(name); err != nil {
			all = errors.Join(all, v.folder.add(name, nil, text))
		}
	}
	return all
}

// date returns the day of the event.
func (v *event) date() string { return v.now.Format(time.DateOnly) }
