package hooks_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
)

// event returns an event of an agent in JSON.
func event(t *testing.T, fields map[string]any) []byte {
	t.Helper()
	src, err := json.Marshal(fields)
	require.NoError(t, err)
	return src
}

// Learnings and sessions are named again once a conversation was compacted, as decisions are
// (testdata/script/compaction.txtar).
func TestACompactionForgetsLearningsAndSessions(t *testing.T) {
	withoutWorkers(t)
	s := emptyStage(t)
	require.NoError(t, exec.Command("git", "init", "-q", s.dir).Run())
	const turn, fact = "the dredger Merlin is called out by the radio of the harbour office alone", "the quay of the dredger Merlin is closed at ebb tide"
	now := time.Now().UTC()
	line := func(kind string, content any) string {
		return string(event(t, map[string]any{"type": kind, "uuid": kind, "sessionId": "old", "timestamp": now.Format(time.RFC3339), "message": map[string]any{"content": content}})) + "\n"
	}
	said := line("user", "tell me once more what we agreed on last week") + line("assistant", []map[string]string{{"type": "text", "text": turn}})
	require.NoError(t, os.WriteFile(s.transcript, []byte(said), 0o600))
	require.Empty(t, ask(t, s.dir, s.home, "Stop", event(t, map[string]any{"session_id": "old", "cwd": s.dir, "transcript_path": s.transcript})))
	s.work(t)
	s.learn(t, fact)
	named := "- " + now.Format(time.DateOnly) + ", 2 turns: \"tell me once more what we agreed on last week\"  memory-remember session old/2"
	shown := func(subagent string) string {
		return told(t, ask(t, s.dir, s.home, "UserPromptSubmit", event(t, map[string]any{
			"session_id": "s", "agent_id": subagent, "cwd": s.dir, "prompt": "is the dredger Merlin called out by radio of the harbour office, and is its quay closed at ebb?",
		})))
	}
	for _, agent := range []string{"", "a1"} {
		require.Contains(t, shown(agent), named)
		require.Empty(t, shown(agent))
	}
	require.Empty(t, ask(t, s.dir, s.home, "PreCompact", event(t, map[string]any{"session_id": "s", "cwd": s.dir, "trigger": "auto"})))
	again := shown("")
	require.Contains(t, again, named)
	require.Contains(t, again, fact)
	require.Empty(t, shown("a1"))
}

// What a session has stored is not shown to it, neither by the command that stores it nor later, until its conversation
// is compacted. It is shown to other sessions.
func TestWhatASessionStoresIsNotShownToIt(t *testing.T) {
	withoutWorkers(t)
	s := emptyStage(t)
	require.NoError(t, exec.Command("git", "init", "-q", s.dir).Run())
	const fact = "the quay of the dredger Merlin is closed at ebb tide"
	var errs bytes.Buffer
	require.Zero(t, remembers(cli.Env{
		Args: []string{"memory-remember", fact}, Dir: s.dir, Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &errs,
		Getenv: func(name string) string {
			return map[string]string{"WHENCE_HOME": s.home, "CLAUDE_CODE_SESSION_ID": "s"}[name]
		},
	}), &errs)
	after := func(session, command string) string {
		return ask(t, s.dir, s.home, "PostToolUse", event(t, map[string]any{
			"session_id": session, "cwd": s.dir, "tool_name": "Bash", "tool_input": map[string]any{"command": command},
		}))
	}
	for _, prefix := range []string{"", "cd docs && ", "WHENCE_HOME=/x ", "npx ", "/usr/local/bin/"} {
		require.Empty(t, after("other", prefix+"memory-remember '"+fact+"'"), "the program's own command is no question")
	}
	const prompt = "is the quay of the dredger Merlin closed at ebb tide?"
	ask := func(session, name string, more string) string {
		return ask(t, s.dir, s.home, name, event(t, map[string]any{"session_id": session, "cwd": s.dir, "prompt": prompt, "source": more}))
	}
	require.Empty(t, ask("s", "UserPromptSubmit", ""))
	require.Contains(t, ask("other", "UserPromptSubmit", ""), fact)
}

// A look-up that finds nothing, and findings of memory-validate, are not failures that trigger recall.
func TestOwnFailuresAreNoQuestion(t *testing.T) {
	withoutWorkers(t)
	s := emptyStage(t)
	require.NoError(t, exec.Command("git", "init", "-q", s.dir).Run())
	const fact = "the quay of the dredger Merlin is closed at ebb tide"
	s.learn(t, fact)
	fails := func(tool, command string) string {
		return ask(t, s.dir, s.home, "PostToolUseFailure", event(t, map[string]any{
			"session_id": "s", "cwd": s.dir, "tool_name": tool, "tool_input": map[string]any{"command": command},
			"error": "Exit code 1\nnothing close to: quay of the dredger Merlin closed at ebb tide",
		}))
	}
	require.Empty(t, fails("Bash", "cd docs && memory-when 'quay of the dredger Merlin'"))
	require.Empty(t, fails("Bash", "memory-validate agents"))
	require.Empty(t, fails("mcp__memory__when", ""))
	require.Contains(t, fails("Bash", "./quay.sh"), fact)
}
