package notes_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/config"
	"whence/internal/notes"
)

// stage is a project with notes switched on.
type stage struct {
	testing.TB
	dir    string
	config config.Config
	now    time.Time
}

// newStage creates a project with files in which session s1 has begun.
func newStage(t testing.TB, files map[string]string) *stage {
	s := &stage{TB: t, dir: t.TempDir(), config: config.Default(), now: time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)}
	s.config.Notes = true
	for name, text := range files {
		s.write(name, text)
	}
	return s
}

func (s *stage) write(name, text string) {
	s.Helper()
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	require.NoError(s, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(s, os.WriteFile(path, []byte(text), 0o644))
}

// read returns the text of a file; "" if it does not exist.
func (s *stage) read(name string) string {
	s.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
	if !os.IsNotExist(err) {
		require.NoError(s, err)
	}
	return string(text)
}

// event handles an event of an agent, of session s1 by default, and returns the injection.
func (s *stage) event(e agent.Event) string {
	s.Helper()
	told, err := s.try(e)
	require.NoError(s, err)
	return told
}

func (s *stage) try(e agent.Event) (string, error) {
	if e.Session == "" {
		e.Session = "s1"
	}
	if e.Cwd == "" {
		e.Cwd = s.dir
	}
	unrecorded := notes.Record(s.dir, e, s.config, s.now)
	told, err := notes.Handle(context.Background(), s.dir, e, s.config, s.now)
	return told, errors.Join(unrecorded, err)
}

func (s *stage) start(source string) string {
	return s.event(agent.Event{Name: agent.SessionStart, Source: source})
}

func (s *stage) prompt(text string) { s.event(agent.Event{Name: agent.UserPromptSubmit, Prompt: text}) }

// use makes a tool call without meaning.
func (s *stage) use() string {
	return s.event(agent.Event{Name: agent.PostToolUse, Tool: "Grep"})
}

func (s *stage) run(command string) string {
	return s.event(agent.Event{Name: agent.PostToolUse, Tool: "Bash", Command: command})
}

func (s *stage) fail(command, failure string) string {
	return s.event(agent.Event{Name: agent.PostToolUseFailure, Tool: "Bash", Command: command, Error: failure})
}

// edit changes a file as a tool does, and sends the event.
func (s *stage) edit(e agent.Edit) string {
	if !e.Deleted {
		s.write(e.Path, e.New)
	}
	return s.event(agent.Event{Name: agent.PostToolUse, Tool: "Edit", Path: e.Path, Edits: []agent.Edit{e}})
}

// The notes.
const (
	contextMD   = ".memory/context.md"
	findingsMD  = ".memory/findings.md"
	decisionsMD = ".memory/decisions.md"
	errorsLog   = ".memory/errors.log"
	sessionJSON = ".memory/session.json"
)
