package hooks_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/config"
	"whence/internal/notes"
	"whence/internal/test/storetest"
)

const (
	start = `{"session_id":"s","source":"startup"}`
	grep  = `{"session_id":"s","tool_name":"Grep","tool_input":{"pattern":"x"}}`
)

// repository returns a copy of the example whose settings belong to the user, since git does not track them.
func repository(t *testing.T) (dir, home string) {
	t.Helper()
	dir, home = ferry(t)
	require.NoError(t, exec.Command("git", "init", "-q", dir).Run())
	return dir, home
}

// withNotes returns a copy of the example that keeps notes and already has some.
func withNotes(t *testing.T) (dir, home string) {
	t.Helper()
	dir, home = repository(t)
	writeLocalSettings(t, dir, "memory_notes_enabled: true\nmemory_injection_limit: 0\n")
	require.NoError(t, os.Mkdir(filepath.Join(dir, notes.Folder), 0o755))
	writeNote(t, dir, "context.md", "- dredge the harbour\n")
	return dir, home
}

// writeLocalSettings writes the user's own settings for a repository.
func writeLocalSettings(t *testing.T, dir, text string) {
	t.Helper()
	name := filepath.Join(dir, filepath.FromSlash(config.LocalFile))
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
}

func writeNote(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, notes.Folder, name), []byte(text), 0o644))
}

func readNote(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, notes.Folder, name))
	require.NoError(t, err)
	return string(text)
}

// Every tool call counts, even if there is nothing else to do, and even a failure without a message. The notes are
// injected when the session begins, and again after ten calls.
func TestNotesAtEvents(t *testing.T) {
	dir, home := withNotes(t)
	require.Contains(t, told(t, ask(t, dir, home, "SessionStart", []byte(start))), "- dredge the harbour\n")
	writeNote(t, dir, "context.md", "- dredge the river\n")
	for i := range 9 {
		event, name := grep, "PostToolUse"
		if i%2 == 0 {
			event, name = `{"session_id":"s","tool_name":"Grep","error":"no","is_interrupt":true}`, "PostToolUseFailure"
		}
		require.Empty(t, ask(t, dir, home, name, []byte(event)))
	}
	require.Contains(t, told(t, ask(t, dir, home, "PostToolUse", []byte(grep))), "- dredge the river\n", "the tenth")
	require.Contains(t, readNote(t, dir, "session.json"), `"toolCallCount": 10`)

	ask(t, dir, home, "UserPromptSubmit", []byte(`{"session_id":"s","prompt":"make the buoys of the harbour blink"}`))
	require.Contains(t, readNote(t, dir, "context.md"), "Task: make the buoys of the harbour blink\n")
	ask(t, dir, home, "PostToolUseFailure", []byte(`{"session_id":"s","tool_name":"Bash","tool_input":{"command":"make dredge"},"error":"Exit code 2\nno dredger"}`))
	require.Contains(t, readNote(t, dir, "errors.log"), "Attempt 1: make dredge: no dredger\n")
	before := readNote(t, dir, "session.json")
	for _, name := range []string{agent.PreCompact, agent.Stop, agent.SubagentStop, agent.SessionEnd} {
		require.Empty(t, ask(t, dir, home, name, []byte(`{"session_id":"s"}`)), name)
	}
	require.Equal(t, before, readNote(t, dir, "session.json"), "they add nothing")
}

// Without notes nothing is created, and an event without a handler is not logged.
func TestWithoutNotes(t *testing.T) {
	for _, settings := range []string{"", "memory_notes_enabled: false\n", "memory_notes_enabled: true\n"} {
		dir, home := repository(t)
		before := files(t, home)
		writeLocalSettings(t, dir, settings)
		ask(t, dir, home, "PostToolUse", []byte(grep))
		require.NoDirExists(t, filepath.Join(dir, notes.Folder), "the session began without them")
		require.Equal(t, before, files(t, home))
		ask(t, dir, home, "SessionStart", []byte(start))
		_, err := os.Stat(filepath.Join(dir, notes.Folder))
		require.Equal(t, strings.Contains(settings, "true"), err == nil, settings)
	}
}

// Notes and recalled items share one budget and one reply. An item without room is recalled the next time.
func TestNotesAndRecallAtOnce(t *testing.T) {
	dir, home := withNotes(t)
	writeLocalSettings(t, dir, "memory_notes_enabled: true\nmemory_notes_refresh: 1\n")
	failure, err := json.Marshal(map[string]any{
		"session_id": "s", "tool_name": "Bash", "tool_input": map[string]string{"command": "make pay"},
		"error": "Exit code 1\na retry of a payment was charged twice, how do we retry payments?",
	})
	require.NoError(t, err)
	alone := told(t, ask(t, dir, storetest.ConsentingHome(t), "PostToolUseFailure", failure))
	require.Contains(t, alone, "retrying a charge safely")
	var decisions strings.Builder
	for i := range 40 {
		fmt.Fprintf(&decisions, "- 2026-01-02 a decision about cranes and their permits, number %d\n", i)
	}
	for _, c := range []struct{ decisions, also string }{{"- 2026-01-02 cranes\n", "retrying a charge safely"}, {decisions.String(), "number 39"}} {
		writeNote(t, dir, "decisions.md", c.decisions)
		text := told(t, ask(t, dir, home, "PostToolUseFailure", failure))
		require.Contains(t, text, "Notes of this project")
		require.Contains(t, text, c.also)
		require.LessOrEqual(t, utf8.RuneCountInString(text), 2001, "a line between the two is not counted")
	}
}

// A failure is recorded even if its reply is late.
func TestAFailureWithALateReply(t *testing.T) {
	dir, home := withNotes(t)
	event := `{"session_id":"s","tool_name":"Bash","tool_input":{"command":"make dredge"},"error":"Exit code 2\nboom"}`
	cmd := exec.Command("memory-hooks", "PostToolUseFailure")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(event)
	cmd.Env = append(os.Environ(), "WHENCE_HOME="+home, "WHENCE_HOOK_DEADLINE=1ns")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err)
	require.Empty(t, string(out))
	require.Contains(t, readNote(t, dir, "errors.log"), "Attempt 1: make dredge: boom\n")
}

// Thirty sessions that fail at the same time lose no failure.
func TestFailuresOfManySessions(t *testing.T) {
	dir, home := withNotes(t)
	var sessions sync.WaitGroup
	for i := range 30 {
		sessions.Go(func() {
			for k := range 4 {
				event := fmt.Sprintf(`{"session_id":"s%d","tool_name":"Bash","tool_input":{"command":"make x%dx%dx"},"error":"Exit code 2\nboom"}`, i, i, k)
				ask(t, dir, home, "PostToolUseFailure", []byte(event))
			}
		})
	}
	sessions.Wait()
	log := readNote(t, dir, "errors.log")
	require.Equal(t, 30*4, strings.Count(log, "\n"))
	for i := range 30 {
		for k := range 4 {
			require.Contains(t, log, fmt.Sprintf("Attempt 1: make x%dx%dx: boom\n", i, k))
		}
	}
}
