package dispatch

import (
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
	"whence/internal/test/repotest"
)

// A pointer says how a decision is read with what the session has: the program, if the agent need not
// ask its user, the server, the plugin; the program again, if there is none of them.
func TestReading(t *testing.T) {
	const triggers = " '<trigger>' ['<another>']"
	const server = `{"mcpServers": {"memory": {"command": "memory-remember"}}}`
	programs := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(programs, "memory-when"), nil, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(programs, "memory-when.exe"), nil, 0o755))
	for name, c := range map[string]struct {
		path, rules, servers, plugin, want string
	}{
		"the program":         {programs, `{"permissions": {"allow": ["Bash(memory-when:*)"]}}`, server, repotest.Root(t), "memory-when" + triggers},
		"the server":          {programs, "{}", server, "", "call the tool `when`, with one trigger or more, each on a line, as its query"},
		"the plugin":          {programs, "{}", "{}", repotest.Root(t), "use the skill: /when <trigger>"},
		"the program, asking": {programs, "{}", "{}", "", "memory-when" + triggers},
		"none":                {"", "{}", "{}", "", "memory-when" + triggers},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("PATH", c.path)
			dir, home := t.TempDir(), repotest.Home(t)
			require.NoError(t, os.WriteFile(filepath.Join(home, ".claude.json"), []byte(c.servers), 0o600))
			require.NoError(t, os.Mkdir(filepath.Join(dir, ".claude"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, ".claude", "settings.json"), []byte(c.rules), 0o600))
			variables := map[string]string{"WHENCE_HOME": home, "HOME": home, "USERPROFILE": home, pluginVariable: c.plugin}
			r, err := Open(cli.Env{Dir: dir, Getenv: func(name string) string { return variables[name] }}, agent.Event{Agent: agent.Claude}, time.Now())
			require.NoError(t, err)
			defer r.Close()
			s := &Session{}
			require.Equal(t, c.want, r.readingIn(s))
			require.Equal(t, c.want, s.Reading)
			s.Reading = "as before"
			require.Equal(t, "as before", r.readingIn(s), "it is found out once")
		})
	}
}

// Settings may have changed when a session begins or goes on.
func TestReadingIsFoundOutAgain(t *testing.T) {
	home := repotest.Home(t)
	state := sessionFile(home, "s")
	require.NoError(t, os.Mkdir(filepath.Dir(state), 0o700))
	require.NoError(t, os.WriteFile(state, []byte(`{"reading":"as before"}`), 0o600))
	var seen []string
	handler := Handler{Run: func(context.Context, *Request) (RenderFunc, error) {
		return func(s *Session) agent.Reply { seen = append(seen, s.Reading); return agent.Reply{} }, nil
	}}
	env := cli.Env{Dir: t.TempDir(), Stdout: io.Discard, Stderr: io.Discard, Getenv: func(name string) string {
		return map[string]string{"WHENCE_HOME": home, "WHENCE_HOOK_DEADLINE": "1m"}[name]
	}}
	for _, name := range []string{agent.UserPromptSubmit, agent.SessionStart} {
		env.Stdin = strings.NewReader(`{"session_id":"s","source":"resume"}`)
		require.NoError(t, Run(env, agent.Claude, name, Handlers{name: {handler}}))
	}
	require.Equal(t, []string{"as before", ""}, seen)
}
