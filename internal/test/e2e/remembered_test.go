package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// registered are the files of a project with our hooks in its settings, and whatever else
// install writes with more flags.
func registered(t *testing.T, bin string, flags ...string) map[string]any {
	t.Helper()
	template := t.TempDir()
	cmd := exec.Command(filepath.Join(bin, "memory-hooks"), append([]string{"install", "--yes", "--scope", "project", "--repo", template}, flags...)...)
	cmd.Dir, cmd.Env = template, append(os.Environ(), "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return texts(t, template)
}

// prompted is a run of Claude Code in a session of its own, or in the one before.
func prompted(prompt string, more ...string) clientRun {
	return clientRun{Args: append(append([]string{"-p", prompt}, printMode...), more...)}
}

// With --notes every tool counts: after the tenth the notes are injected, and failures
// are noted.
func TestClaudeCodeKeepsNotes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	const task = "Make the buoys of the harbour blink at night, one after the other"
	turns := []turn{
		{Tool: "Bash", Input: map[string]any{"command": "echo 'no dredger in sight' >&2; exit 3", "description": "dredge"}},
		{Tool: "ToolSearch", Input: map[string]any{"query": "select:WebFetch"}}, // which is registered for no part of ours
	}
	for range 7 {
		turns = append(turns, turn{Tool: "Bash", Input: map[string]any{"command": "true", "description": "wait"}})
	}
	turns = append(turns,
		turn{Tool: "Bash", Input: map[string]any{"command": "echo the $((9+1))th call", "description": "count"}},
		turn{Text: "done"})
	files := registered(t, bin, "--notes")
	p := play(t, scene{
		Name: "notes", Hooks: []string{}, Files: files,
		Own:    "memory_notes_enabled: true\n", // .whence.yaml is committed
		Env:    map[string]string{"WHENCE_HOME": "@WORK@/store", "WHENCE_HOOK_DEADLINE": "1m", "PATH": bin + ":/usr/local/bin:/usr/bin:/bin"},
		Runs:   []clientRun{prompted(task)},
		Routes: []route{{"buoys of the harbour", turns}},
	})
	const told = "Notes of this project (in .memory/"
	require.NotZero(t, p.first("the 10th call"))
	require.Equal(t, p.first("the 10th call"), p.first(told), "with the result of the tenth call")
	require.Contains(t, p.requests[p.first(told)-1], "Task: "+task)
	notes := texts(t, filepath.Join(p.project, ".memory"))
	require.Contains(t, notes["errors.log"], "] Attempt 1: echo 'no dredger in sight' >&2; exit 3: no dredger in sight\n")
	require.Contains(t, notes["session.json"], `"toolCallCount": 10`)
}
