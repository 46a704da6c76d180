package hooks_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// Wherever a process is killed, the reminder of situations is not lost.
func TestKilledBeforeTheReminder(t *testing.T) {
	program := repotest.Build(t, t.TempDir(), "whence/hooks/memory-hooks")
	dir := t.TempDir()
	index, decisions := "## agents/decisions/a.md\n\n", "# A\n"
	for _, n := range strings.Fields("one two three four five six") {
		index += "/when doing " + n + " | Decision " + n + " | keyword rich description of what it is\n"
		decisions += "\n## Decision " + n + "\n\nText.\n"
	}
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "agents", "decisions"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "agents", "memory-index.md"), []byte(index), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "agents", "decisions", "a.md"), []byte(decisions), 0o644))
	start := func(home string) (*exec.Cmd, *bytes.Buffer) {
		cmd, out := exec.Command(program, "SessionStart"), &bytes.Buffer{}
		cmd.Dir, cmd.Stdout, cmd.Stdin = dir, out, strings.NewReader("{}")
		cmd.Env = append(os.Environ(), "WHENCE_HOME="+home, "WHENCE_HOOK_DEADLINE=1m")
		require.NoError(t, cmd.Start())
		return cmd, out
	}
	killed := 0
	for range 30 {
		home := repotest.Home(t)
		first, before := start(home)
		time.Sleep(time.Duration(rand.IntN(12)) * time.Millisecond)
		_ = first.Process.Kill()
		if first.Wait() != nil {
			killed++
		}
		claims, err := filepath.Glob(filepath.Join(home, "weekly", "*.new"))
		require.NoError(t, err)
		for _, name := range claims { // after two minutes
			past := time.Now().Add(-2 * time.Minute)
			require.NoError(t, os.Chtimes(name, past, past))
		}
		next, after := start(home)
		require.NoError(t, next.Wait())
		require.Contains(t, before.String()+after.String(), "have no situations")
	}
	t.Logf("%d of 30 processes were killed before they ended", killed)
}
