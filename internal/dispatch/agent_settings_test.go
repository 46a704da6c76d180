package dispatch_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
)

// What reads decisions is named as the shell of the agent finds it, and is run unasked only if
// settings of the user or the project say so.
func TestReadingCommand(t *testing.T) {
	bin, user, root := t.TempDir(), repotest.Home(t), t.TempDir()
	program := "memory-when"
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	require.NoError(t, os.WriteFile(filepath.Join(bin, program), nil, 0o755))
	reading := func(c agent.Client) (string, bool) {
		t.Helper()
		env := cli.Env{Dir: root, Getenv: func(name string) string { return map[string]string{"HOME": user, "WHENCE_HOME": user}[name] }}
		r, err := dispatch.Open(env, agent.Event{Cwd: root, Agent: c}, time.Now())
		require.NoError(t, err)
		defer r.Close()
		return r.ReadingCommand()
	}
	write := func(dir, name, text string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}

	t.Setenv("PATH", "")
	command, unasked := reading(agent.Claude)
	require.Empty(t, command)
	require.False(t, unasked)

	t.Setenv("PATH", bin)
	command, unasked = reading(agent.Claude)
	require.Equal(t, "memory-when", command)
	require.False(t, unasked)

	write(user, ".claude/settings.json", `{"permissions": {"allow": ["Bash(memory-when:*)"]}}`)
	_, unasked = reading(agent.Claude)
	require.True(t, unasked)
	_, unasked = reading(agent.Gemini)
	require.False(t, unasked)

	write(root, ".claude/settings.local.json", `{"permissions": {"ask": ["Bash(memory-when:*)"]}}`)
	_, unasked = reading(agent.Claude)
	require.False(t, unasked)
}
