package notes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/notes"
	"whence/internal/repotest"
)

// noteCase is a line of cases/hooks.jsonl about notes, in any language.
type noteCase struct {
	ID, Event string
	Stdin     json.RawMessage
	Files     map[string]string
	State     struct {
		Before    int `json:"tool_calls_before"`
		Templates string
	}
	Steps []struct {
		Parallel []struct{ Stdin map[string]any }
	}
	Expect struct {
		Refresh         *bool
		Contains        []string                  `json:"context_contains"`
		Excludes        []string                  `json:"context_excludes"`
		Unchanged       []string                  `json:"file_unchanged"`
		PrefixUnchanged []string                  `json:"file_prefix_unchanged"`
		JSON            map[string]map[string]any `json:"file_json"`
		FileExcludes    map[string][]string       `json:"file_excludes"`
		Absent          []string                  `json:"files_absent"`
		Intact          bool                      `json:"lines_intact"`
	}
}

// unrunCases are the cases that are not run, with the reason.
var unrunCases = map[string]string{
	"xm-004": "no session writes to .gitignore: it is offered, and done by a command (TestIgnore)",
	"xm-009": "the settings are those of the project, not a file among the notes (TestOff)",
	"xm-016": "what was told after call 10 and has not changed since is not told again (TestRefresh)",
	"xm-053": "what was said is kept by capture, not by the notes",
}

func TestCases(t *testing.T) {
	src, err := os.ReadFile(repotest.Shared(t, "cases/hooks.jsonl"))
	require.NoError(t, err)
	ran, unrun := 0, 0
	for line := range strings.Lines(string(src)) {
		var kind struct{ ID, Group string }
		require.NoError(t, json.Unmarshal([]byte(line), &kind))
		if kind.Group != "external-memory" {
			continue
		}
		if unrunCases[kind.ID] != "" {
			unrun++
			continue
		}
		ran++
		t.Run(kind.ID, func(t *testing.T) { runCase(t, line) })
	}
	require.Equal(t, len(unrunCases), unrun, "a case is listed that there is not")
	require.GreaterOrEqual(t, ran, 14)
}

func runCase(t *testing.T, line string) {
	s := newStage(t, nil)
	project, err := json.Marshal(s.dir)
	require.NoError(t, err)
	line = strings.ReplaceAll(line, "{PROJECT}", strings.Trim(string(project), `"`))
	var c noteCase
	require.NoError(t, json.Unmarshal([]byte(line), &c))
	for name, text := range c.Files {
		s.write(name, text)
	}
	require.NoError(t, os.MkdirAll(filepath.Join(s.dir, notes.Folder), 0o700)) // a session has begun
	if c.State.Templates == "fresh" {
		s.event(agent.Event{Name: agent.SessionStart, Session: "s-0001", Source: "startup"})
	}
	for range c.State.Before {
		s.event(agent.Event{Name: agent.PostToolUse, Session: "s-0001", Tool: "Grep"})
	}
	if c.Expect.Intact {
		allAtOnce(t, s, c)
		return
	}
	e, err := agent.Read(bytes.NewReader(c.Stdin), agent.Claude, c.Event)
	require.NoError(t, err)
	if e.Tool == "Edit" {
		s.write(e.Path, "x")
	}
	told := s.event(e)

	var reply bytes.Buffer
	require.NoError(t, agent.Reply{Context: told}.Write(&reply, e))
	require.NotContains(t, reply.String(), "systemMessage")
	if c.Expect.Refresh != nil {
		require.Equal(t, *c.Expect.Refresh, strings.Contains(told, "JWT"))
	}
	for _, text := range c.Expect.Contains {
		require.Contains(t, told, text)
	}
	for _, text := range c.Expect.Excludes {
		require.NotContains(t, told, text)
	}
	for _, name := range c.Expect.Unchanged {
		require.Equal(t, c.Files[name], s.read(name))
	}
	for _, name := range c.Expect.PrefixUnchanged {
		require.True(t, strings.HasPrefix(s.read(name), c.Files[name]))
		require.Contains(t, strings.TrimPrefix(s.read(name), c.Files[name]), "2026-01-02", "short and dated")
	}
	for name, fields := range c.Expect.JSON {
		var got map[string]any
		require.NoError(t, json.Unmarshal([]byte(s.read(name)), &got))
		require.Subset(t, got, fields)
	}
	for name, texts := range c.Expect.FileExcludes {
		require.NotEmpty(t, s.read(name))
		for _, text := range texts {
			require.NotContains(t, s.read(name), text)
		}
	}
	for _, name := range c.Expect.Absent {
		require.NoFileExists(t, filepath.Join(s.dir, name))
	}
}

// allAtOnce says all that a case says at the same time.
func allAtOnce(t *testing.T, s *stage, c noteCase) {
	var all sync.WaitGroup
	events := c.Steps[0].Parallel
	failed := make([]error, len(events))
	for i, step := range events {
		all.Go(func() {
			in, err := json.Marshal(step.Stdin)
			if err != nil {
				failed[i] = err
				return
			}
			e, err := agent.Read(bytes.NewReader(in), agent.Claude, c.Event)
			if err == nil {
				_, err = notes.Event(context.Background(), s.dir, e, s.config, s.now)
			}
			failed[i] = err
		})
	}
	all.Wait()
	for _, err := range failed {
		require.NoError(t, err)
	}
	require.Regexp(t, regexp.MustCompile(`^(\[2026-01-02 15:04:05Z\] Attempt [1-8]: npm test: error from session [0-7]\n){8}$`), s.read(errorsLog))
}
