package dispatch_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
)

// Cursor also runs programs that are registered with Claude Code. They answer in Cursor's form, unless Cursor's own
// settings register a program; the session is one of Cursor. Variables do not count, because Claude Code inherits them.
func TestWhatCursorRunsForClaudeCode(t *testing.T) {
	const ours, answer = `{"version": 1, "hooks": {"stop": [{"command": "memory-hooks stop --agent cursor"}]}}`, `{"additional_context":"x"}` + "\n"
	const asClaude = `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"x"}}` + "\n"
	for _, c := range []struct{ name, event, version, user, project, want string }{
		{"nothing of its own", "sessionStart", "3.20.17", "", "", answer},
		{"its own", "sessionStart", "3.20.17", ours, "", ""},
		{"the project's", "sessionStart", "3.20.17", "", ours, ""},
		{"others", "sessionStart", "3.20.17", `{"version": 1, "hooks": {"stop": [{"command": "lint"}]}}`, "", answer},
		{"a file that it does not read", "sessionStart", "3.20.17", strings.Replace(ours, "1", "one", 1), "", answer},
		{"Claude Code", "SessionStart", "", ours, ours, asClaude},
	} {
		t.Run(c.name, func(t *testing.T) {
			user, project, store, of := t.TempDir(), t.TempDir(), t.TempDir(), agent.Client("")
			for folder, text := range map[string]string{user: c.user, project: c.project} {
				require.NoError(t, os.Mkdir(filepath.Join(folder, ".cursor"), 0o755))
				require.NoError(t, os.WriteFile(filepath.Join(folder, ".cursor", "hooks.json"), []byte(text), 0o644))
			}
			input := `{"hook_event_name":"` + c.event + `","session_id":"s","workspace_roots":["` + filepath.ToSlash(project) + `"],"cursor_version":"` + c.version + `"}`
			var out bytes.Buffer
			require.NoError(t, dispatch.Run(cli.Env{
				Args: []string{"memory-x"}, Dir: project, Stdin: strings.NewReader(input), Stdout: &out, Stderr: io.Discard, Deadline: time.Hour,
				Getenv: func(name string) string {
					return map[string]string{"HOME": user, "USERPROFILE": user, "WHENCE_HOME": store, "CURSOR_VERSION": "3.20.17", "CLAUDE_PROJECT_DIR": project}[name]
				},
			}, agent.Claude, agent.SessionStart, dispatch.Handlers{agent.SessionStart: {{Run: func(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
				of = r.Agent
				return func(*dispatch.Session) agent.Reply { return agent.Reply{Context: "x"} }, nil
			}}}}))
			require.Equal(t, c.want, out.String())
			require.Equal(t, map[string]agent.Client{"": "", answer: agent.Cursor, asClaude: agent.Claude}[c.want], of)
		})
	}
}
