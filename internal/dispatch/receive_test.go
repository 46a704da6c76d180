package dispatch_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/dispatch"
)

// A folder that begins with ~/ is one of the user's home folder, as users write it.
func TestHomeInPaths(t *testing.T) {
	var got agent.Event
	handlers := dispatch.Handlers{agent.Stop: {{Wants: func(e agent.Event) bool { got = e; return false }}}}
	user := t.TempDir()
	for path, want := range map[string]string{
		"~/t.jsonl": filepath.Join(user, "t.jsonl"), "~": user, "~ann/t.jsonl": "~ann/t.jsonl", "/a/~/t": "/a/~/t", "~~/t": "~~/t",
	} {
		_, err := run(t, t.TempDir(), t.TempDir(), agent.Stop, `{"cwd":"`+path+`","transcript_path":"`+path+`","agent_transcript_path":"`+path+`"}`, handlers,
			map[string]string{"HOME": user, "USERPROFILE": user})
		require.NoError(t, err)
		require.Equal(t, []string{want, want, want}, []string{got.Cwd, got.Transcript, got.SubTranscript})
	}
}

// A command of Codex has failed if the record of its call says so, whatever it has printed.
func TestFailuresOfCodex(t *testing.T) {
	var got agent.Event
	wants := []dispatch.Handler{{Wants: func(e agent.Event) bool { got = e; return false }}}
	handlers := dispatch.Handlers{agent.PostToolUse: wants, agent.PostToolUseFailure: wants}
	rollout, err := filepath.Abs("../agent/transcript/testdata/codex-0.169.0/hooks.jsonl")
	require.NoError(t, err)
	const failed, passed = "toolu_fake00000002", "toolu_fake00000001"
	for _, c := range []struct{ client, tool, call, transcript, want string }{
		{"codex", "Bash", failed, rollout, agent.PostToolUseFailure},
		{"codex", "Bash", passed, rollout, agent.PostToolUse},
		{"codex", "Bash", "", rollout, agent.PostToolUse},
		{"codex", "apply_patch", failed, rollout, agent.PostToolUse},
		{"codex", "Bash", failed, "", agent.PostToolUse},
		{"codex", "Bash", failed, rollout + ".gone", agent.PostToolUse},
		{"codex", "Bash", failed, filepath.Dir(rollout), agent.PostToolUse},
		{"claude", "Bash", failed, rollout, agent.PostToolUse},
	} {
		src, err := json.Marshal(map[string]any{
			"session_id": "s", "tool_name": c.tool, "tool_use_id": c.call, "transcript_path": c.transcript,
			"tool_input": map[string]any{"command": "ls nothere"}, "tool_response": "exit code 2",
		})
		require.NoError(t, err)
		_, err = runAs(t, agent.Client(c.client), t.TempDir(), t.TempDir(), agent.PostToolUse, string(src), handlers, nil)
		require.NoError(t, err)
		require.Equal(t, c.want, got.Name, "%+v", c)
		require.Equal(t, c.want == agent.PostToolUseFailure, got.AsUse && got.Output == "" && strings.Contains(got.Error, "cannot access"), "%+v", got)
	}
}

// VS Code ignores the matcher: no handler is asked about a tool that none of them uses.
func TestUselessToolsOfCopilot(t *testing.T) {
	asked := 0
	handlers := dispatch.Handlers{agent.PostToolUse: {{
		Wants: func(agent.Event) bool { asked++; return true },
		Run: func(context.Context, *dispatch.Request) (dispatch.RenderFunc, error) {
			return func(*dispatch.Session) agent.Reply { return agent.Reply{Context: "told"} }, nil
		},
	}}}
	for tool, want := range map[string]bool{"grep_search": false, "memory": false, "Glob": false, "run_in_terminal": true, "read_file": true, "Edit": true} {
		asked = 0
		out, err := runAs(t, agent.Copilot, t.TempDir(), t.TempDir(), agent.PostToolUse, `{"session_id":"s","tool_name":"`+tool+`","tool_input":{},"tool_response":"x"}`, handlers, nil)
		require.NoError(t, err)
		require.Equal(t, want, asked == 1, tool)
		require.Equal(t, want, out != "", tool)
	}
}

// VS Code reads a reply to Stop in a place of its own. Claude Code, which inherits COPILOT_CLI, does not get that.
func TestStopOfCopilot(t *testing.T) {
	handlers := dispatch.Handlers{agent.Stop: {{Run: func(context.Context, *dispatch.Request) (dispatch.RenderFunc, error) {
		return func(*dispatch.Session) agent.Reply { return agent.Reply{Block: "mend it"} }, nil
	}}}}
	for client, want := range map[agent.Client]bool{agent.Copilot: true, agent.Claude: false} {
		out, err := runAs(t, client, t.TempDir(), t.TempDir(), agent.Stop, `{"session_id":"s"}`, handlers, map[string]string{"COPILOT_CLI": "1"})
		require.NoError(t, err)
		require.Contains(t, out, `"decision":"block","reason":"mend it"`)
		require.Equal(t, want, strings.Contains(out, "hookSpecificOutput"), client)
	}
}

// A panic is a line in the log, and below it where it was, whichever goroutine it was in.
// Secrets in it are redacted, and it is one fault.
func TestAPanicIsLoggedWithItsStack(t *testing.T) {
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	explode := func() { panic("no such plank: " + secret) }
	for name, answer := range map[string]dispatch.Handler{
		"wants": {Wants: func(agent.Event) bool { explode(); return true }},
		"run":   {Run: func(context.Context, *dispatch.Request) (dispatch.RenderFunc, error) { explode(); return nil, nil }},
		"say": {Run: func(context.Context, *dispatch.Request) (dispatch.RenderFunc, error) {
			return func(*dispatch.Session) agent.Reply { explode(); return agent.Reply{} }, nil
		}},
	} {
		home := t.TempDir()
		_, _ = run(t, t.TempDir(), home, agent.Stop, `{"session_id":"s"}`, dispatch.Handlers{agent.Stop: {answer}}, nil)
		faults := dispatch.ReadFaults(home)
		require.Len(t, faults, 1, name)
		require.Contains(t, faults[0], "claude Stop", name)
		require.Contains(t, faults[0], "a fault in the program: no such plank: [redacted: ", name)
		src, err := os.ReadFile(dispatch.FaultLog(home))
		require.NoError(t, err)
		lines := strings.Split(string(src), "\n")
		require.Regexp(t, `^\t.*TestAPanicIsLoggedWithItsStack.* .*receive_test\.go:\d+$`, lines[1], name)
		require.Less(t, len(src), 6<<10, name)
		require.NotContains(t, string(src), secret, name)
	}
}
