package hooks_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/capture"
	"whence/internal/test/repotest"
)

// leftUnread registers a transcript with an answer, which no worker reads, as of an event at some time.
func leftUnread(t *testing.T, home, cwd string, at time.Time) {
	t.Helper()
	transcript := filepath.Join(t.TempDir(), "s1.jsonl")
	line, err := json.Marshal(map[string]any{
		"type": "assistant", "uuid": "a1", "sessionId": "s1", "cwd": cwd, "timestamp": at.UTC().Format(time.RFC3339),
		"message": map[string]any{"id": "m1", "content": []any{map[string]string{"type": "text", "text": answer}}},
	})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(transcript, append(line, '\n'), 0o600))
	e := agent.Event{Session: "s1", Cwd: cwd, Transcript: transcript}
	require.NoError(t, capture.Register(t.Context(), home, e, capture.Rules{Folder: cwd, Project: cwd, Capture: true}, at))
}

// When a session begins, what a killed worker left is captured: the agent may never stop.
func TestASessionBeginsWithWhatWasLeft(t *testing.T) {
	p := newPatient(t)
	repotest.Build(t, filepath.Dir(p.program), "whence/remember/memory-remember")
	workers := repotest.NewDescendants(t)
	leftUnread(t, p.home, p.dir, time.Now())
	cmd := exec.Command(p.program, "SessionStart")
	cmd.Dir, cmd.Env = p.dir, p.environment()
	cmd.Stdin = strings.NewReader(`{"session_id":"s2","source":"startup","transcript_path":"` + filepath.ToSlash(filepath.Join(t.TempDir(), "s2.jsonl")) + `"}`)
	workers.Of(cmd)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	workers.Wait()
	require.Contains(t, p.examined(), "1 turn of 1 session")
}
