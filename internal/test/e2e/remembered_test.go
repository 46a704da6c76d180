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

// stored is a run that ends when all that was said is stored. A worker does that on its
// own: here it is only waited for, and helped where it has been stopped with its session.
func stored() clientRun {
	const wait = `for i in $(seq 600); do
	memory-remember capture --quiet
	[ -z "$(ls "$WHENCE_HOME/spool")" ] && exit 0
	sleep 0.1
done
ls -R "$WHENCE_HOME/spool"`
	return clientRun{Program: "/bin/sh", Args: []string{"-c", wait}}
}

// What was said in one session, by the user and by the agent, is before the model in the
// next one with the prompt to which it applies. Events that only keep it print nothing.
func TestClaudeCodeRecallsWhatWasSaid(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	shim, replies := recorded(t, filepath.Join(bin, "memory-hooks"))
	const (
		first  = "Why does the tide gauge at Inchmoor report nonsense? Its serial line needs even parity at 4800 baud, mind you."
		answer = "The tide gauge at Inchmoor reports raw counts because its poller starts before the calibration table gauge-inchmoor.csv is loaded."
		second = "Set up the tide gauge at Inchmoor again: parity of its serial line, baud, and the calibration table of the poller"
	)
	p := play(t, scene{
		Name: "remembered", Hooks: []string{}, Files: registered(t, bin),
		Env: map[string]string{"WHENCE_HOME": "@WORK@/store", "WHENCE_HOOK_DEADLINE": "1m", "PATH": shim + ":" + bin + ":/usr/local/bin:/usr/bin:/bin"},
		Runs: []clientRun{
			prompted(first), stored(), prompted("/compact", "--resume", "@SESSION@"), stored(), prompted(second),
		},
		Routes: []route{
			{"cc_is_subagent=true", []turn{{Text: "nothing found"}}},
			{"CRITICAL: Respond with TEXT ONLY", []turn{{Text: "<summary>a gauge</summary>"}}},
			{"Set up the tide gauge", []turn{{Text: "done"}}},
			{"tide gauge at Inchmoor", []turn{
				{Tool: "Agent", Input: map[string]any{"description": "look", "prompt": "look around", "subagent_type": "general-purpose", "run_in_background": false}},
				{Text: answer},
			}},
		},
	})
	asked := p.first(second)
	require.NotZero(t, asked)
	request := p.requests[asked-1]
	for _, said := range []string{"even parity at 4800 baud", "starts before the calibration table gauge-inchmoor.csv is loaded"} {
		require.Contains(t, request, said)
	}
	require.Contains(t, request, "[said by the user ")
	require.Contains(t, request, "(answered: The tide gauge ")
	require.NotContains(t, request, first+"\n"+second, "it is no conversation that goes on")

	for _, event := range []string{"Stop", "SubagentStop", "PreCompact", "SessionEnd"} {
		text, err := os.ReadFile(filepath.Join(replies, event))
		require.NoError(t, err, "%s did not come", event)
		require.Empty(t, string(text), event)
	}
	log, err := os.ReadFile(filepath.Join(p.store, "hooks.log"))
	require.ErrorIs(t, err, os.ErrNotExist, string(log))
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
