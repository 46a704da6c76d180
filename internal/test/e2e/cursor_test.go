//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// Cursor itself needs its server. Its SDK has what loads settings, runs commands and reads their replies: that takes what install
// has registered, and all replies, however it hands the event over and whatever Claude Code's settings register besides.
func TestCursor(t *testing.T) {
	node, bin := repotest.Program(t, "node"), installed(t)
	sdk := realAgent{program: "cursor/node_modules/@cursor/sdk/dist/esm/index.js"}.command(t)
	for _, c := range []struct {
		transport string
		agents    []string
		fails     bool // it reports failures
	}{
		{"legacy", []string{"cursor"}, true}, {"stdin", []string{"cursor"}, true}, {"legacy", []string{"cursor", "claude"}, true}, {"stdin", []string{"claude"}, false},
	} {
		t.Run(fmt.Sprint(c.transport, c.agents), func(t *testing.T) {
			s := newSandbox(t, bin)
			for name, text := range texts(t, ferry(t)) {
				s.write("project/"+name, text)
			}
			s.run("project", "git", "init", "-q")
			for _, agent := range c.agents {
				s.run("project", "memory-hooks", "install", "--yes", "--no-capture", "--agent", agent)
			}
			project := filepath.Join(s.dir, "project")
			tool := func(name, field, value, output string) map[string]any {
				return map[string]any{"tool_name": name, "tool_input": map[string]string{field: value}, "tool_output": output, "tool_use_id": "t", "cwd": project, "duration": 5}
			}
			failed := tool("Shell", "command", "go run ./tools/backfill", "")
			failed["error_message"], failed["failure_type"] = "the backfill stopped at a batch: batch_size rows", "error"
			var events, wants []string
			for _, e := range []struct {
				name    string
				request map[string]any
				want    string
			}{
				{"sessionStart", map[string]any{"is_background_agent": false}, `^{"additional_context":"[^"]*\\nTip: `},
				{"beforeSubmitPrompt", map[string]any{"prompt": chargedTwice, "attachments": []string{}}, `^{"continue":true,"additional_context":"Recorded [^"]*/when `},
				{"postToolUse", tool("Shell", "command", "psql", `{"output":"ERROR 55P03: canceling statement due to lock timeout","exitCode":1}`), `^{"additional_context":"Recorded [^"]*/when altering a busy table`},
				{"postToolUseFailure", failed, map[bool]string{true: `^{"additional_context":"Recorded [^"]*/how write a backfill`, false: "^null$"}[c.fails]},
				{"postToolUse", tool("Write", "file_path", filepath.Join(project, "agents/decisions/new.md"), `{"success":true}`), `^{"additional_context":"memory-validate has findings since the last event:`},
				{"postToolUse", tool("Delete", "file_path", filepath.Join(project, "x"), `{}`), "^null$"},
				{"stop", map[string]any{"status": "aborted", "loop_count": 0}, "^null$"},
				{"stop", map[string]any{"status": "completed", "loop_count": 0}, `^{"followup_message":"The memory was changed in this session`},
				{"stop", map[string]any{"status": "completed", "loop_count": 1}, "^null$"},
				{"preCompact", map[string]any{"trigger": "auto", "message_count": 80}, "^null$"},
				{"sessionEnd", map[string]any{"reason": "completed", "duration_ms": 20179}, "^null$"},
			} {
				e.request["conversation_id"] = "c1"
				line, err := json.Marshal([]any{e.name, e.request})
				require.NoError(t, err)
				events, wants = append(events, string(line)), append(wants, e.want)
			}
			replied := func(events []string) []string {
				cmd := exec.Command(node, "cursor.mjs", filepath.Dir(sdk[len(sdk)-1]), project, c.transport)
				cmd.Env, cmd.Stdin = s.env, strings.NewReader(strings.Join(events, "\n"))
				out, err := cmd.Output()
				require.NoError(t, err)
				return strings.Split(strings.TrimSpace(string(out)), "\n")
			}
			replies := replied(events[:1])
			s.write("project/agents/decisions/new.md", "# New\n\n## Written in this session\n\nText.\n")
			replies = append(replies, replied(events[1:])...)
			require.Len(t, replies, len(wants))
			for i, want := range wants {
				for n := 0; n < 3 && want != "^null$" && replies[i] == "null"; n++ { // on a busy machine an event may have no time
					replies[i] = replied(events[i : i+1])[0]
				}
				require.Regexp(t, want, replies[i], events[i])
				require.NotContains(t, replies[i], `\n\n---\n\n`, "two commands have replied")
			}
		})
	}
}
