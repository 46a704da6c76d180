package notes

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/config"
	"whence/internal/inert"
	"whence/internal/redact"
	"whence/internal/words"
)

// Folder is the folder of the notes, relative to the root of the project.
const Folder = ".memory"

// The files in it.
const (
	contextFile   = "context.md"
	findingsFile  = "findings.md"
	decisionsFile = "decisions.md"
	errorsFile    = "errors.log"
	sessionFile   = "session.json"
)

// headings lists the files that a session creates if they are missing, with their first lines. These do not count
// as content.
var headings = map[string]string{
	contextFile:   "# Context\n",
	findingsFile:  "# Findings\n",
	decisionsFile: "# Decisions\n",
	errorsFile:    "",
}

// Present reports whether a project has a folder of notes; a link does not count. Without one, only SessionStart
// has something to do.
func Present(root string) bool {
	info, err := os.Lstat(filepath.Join(root, Folder))
	return err == nil && info.IsDir()
}

// event is an event with the data that handlers need.
type event struct {
	agent.Event
	root   string
	folder *folder
	isNew  bool // the folder was created for this event
	config config.Config
	now    time.Time
}

// open prepares an event for its handlers. It returns nil if notes are off, or if there is no folder and the event is
// not SessionStart.
func open(root string, e agent.Event, c config.Config, now time.Time) (*event, error) {
	begins := e.Name == agent.SessionStart
	if !c.Notes || !begins && !Present(root) {
		return nil, nil
	}
	isNew := !Present(root)
	folder, err := openFolder(root, begins)
	return &event{Event: e, root: root, folder: folder, isNew: isNew, config: c, now: now}, err
}

// Handle updates the notes of a project after an event, and returns the text to inject, which is usually empty. The
// caller has already passed a failure to [Record].
//
// If Handle returns an error, some files may have been written, and the text is still valid.
func Handle(ctx context.Context, root string, e agent.Event, c config.Config, now time.Time) (inject string, err error) {
	known := []string{agent.SessionStart, agent.UserPromptSubmit, agent.PostToolUse, agent.PostToolUseFailure}
	if !slices.Contains(known, e.Name) {
		return "", nil
	}
	v, err := open(root, e, c, now)
	if v == nil || err != nil {
		return "", err
	}
	isDue := false
	err = v.folder.alone(ctx, func() error {
		b, unread := v.folder.readBook()
		s := b.session(v.Session, v.Subagent, v.now)
		s.HasTask = s.HasTask || unread != nil // otherwise every prompt would count as the task
		var failed error
		inject, isDue, failed = v.update(b, s)
		if unread == nil {
			unread = v.folder.writeBook(b)
		}
		return errors.Join(unread, failed)
	})
	if isDue {
		text, unread := v.folder.injection(v.Name == agent.SessionStart)
		inject += text
		err = errors.Join(err, unread)
	}
	if !c.Injection {
		inject = ""
	}
	return inject, errors.Join(err, v.folder.Close())
}

// update writes what an event adds to the notes. It returns a text to show the agent, and whether to inject the
// notes. The caller holds the lock.
func (v *event) update(b *book, s *session) (shown string, isDue bool, err error) {
	isDue = b.count(s, v.calls(s), v.config.NotesRefresh)
	switch v.Name {
	case agent.SessionStart:
		s.SinceShown = 0
		return "", true, errors.Join(v.createFiles(), v.noteDependencies(b))
	case agent.UserPromptSubmit:
		return "", isDue, v.noteTask(s)
	case agent.PostToolUse:
		return "", isDue, errors.Join(v.noteChanges(), v.noteDependencies(b), v.noteFix(s))
	}
	shown, err = v.learn(s)
	return shown, isDue, errors.Join(err, v.folder.rotate())
}

// ignoreFile keeps a new folder of notes out of git. It is not created again if the user deletes it to commit notes.
const ignoreFile = ".gitignore"

// createFiles creates the missing files, and in a new folder also ignoreFile.
func (v *event) createFiles() (all error) {
	files := maps.Clone(headings)
	if v.isNew {
		files[ignoreFile] = "*\n"
	}
	for name, text := range files {
		if _, err := v.folder.notes.Lstat(name); err != nil {
			all = errors.Join(all, v.folder.add(name, nil, text))
		}
	}
	return all
}

// date returns the day of the event.
func (v *event) date() string { return v.now.Format(time.DateOnly) }

// Bounds of a task: a shorter prompt is a remark ("go on"), a longer one is cut.
const (
	minTaskBytes = 20
	maxTaskBytes = 200
)

// noteTask notes in context.md the first prompt of a session that is a task.
func (v *event) noteTask(s *session) error {
	prompt := agent.Spoken(v.Prompt)
	if s.ID == "" || s.HasTask || v.Subagent != "" || len(prompt) < minTaskBytes || strings.HasPrefix(prompt, "/") {
		return nil
	}
	task := words.Shorten(inert.Line(redacted(prompt)), maxTaskBytes)
	if len(task) < minTaskBytes {
		return nil // all of it was private
	}
	src, err := v.folder.read(contextFile, maxReadBytes)
	if err != nil {
		return err
	}
	s.HasTask = true
	return v.folder.note(contextFile, src, v.date()+" Task: "+task)
}

// maxSourceBytes is the number of bytes that are read at the beginning of a prompt or an error.
const maxSourceBytes = 64 << 10

// redacted removes secrets and control characters from a text. Since half a secret is not recognized, it reads
// whole lines, and far more than is written later.
func redacted(s string) string {
	if len(s) > maxSourceBytes {
		s = words.Beginning(s, maxSourceBytes)
		if at := strings.LastIndexByte(s, '\n'); at > 0 {
			s = s[:at]
		}
	}
	s, _ = redact.Text(inert.Clean(s))
	return s
}

// plainLine returns a text on one line, for a log, where Markdown has no effect.
func plainLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// code returns a text between backticks.
func code(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }
