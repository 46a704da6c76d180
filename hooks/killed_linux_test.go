package hooks_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/test/repotest"
)

// writingCalls lists the system calls that create, change and remove files and folders.
var writingCalls = []string{"mkdirat", "linkat", "renameat", "unlinkat"}

// If install or uninstall is killed before any of its writes and run again, the result is that of an undisturbed run.
// Uninstall restores what was there before, byte for byte. The second uninstall names no agent.
func TestInstallAndUninstallAreResumed(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs, and kills them hundreds of times")
	}
	repotest.Program(t, "strace")
	bin := t.TempDir()
	for _, program := range []string{"hooks/memory-hooks", "remember/memory-remember", "when/memory-when"} {
		repotest.Build(t, bin, "whence/"+program)
	}
	for _, c := range agent.Clients {
		for _, scope := range agent.Scopes {
			if scope != agent.User && c != agent.Claude && c != agent.Copilot && !repotest.Long() {
				continue // these differ only in names
			}
			t.Run(fmt.Sprintf("%s, %s", c, scope), func(t *testing.T) {
				t.Parallel()
				resumed(t, bin, c, scope)
			})
		}
	}
}

func resumed(t *testing.T, bin string, c agent.Client, scope agent.Scope) {
	top, saved := filepath.Join(t.TempDir(), "top"), filepath.Join(t.TempDir(), "saved")
	run := func(prefix []string, args ...string) error {
		args = slices.Concat(prefix, []string{filepath.Join(bin, "memory-hooks")}, args, []string{"--scope", string(scope)})
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = filepath.Join(top, "project")
		cmd.Env = []string{"HOME=" + filepath.Join(top, "home"), "WHENCE_HOME=" + filepath.Join(top, "store"), "PATH=" + bin + ":/usr/bin:/bin", "GOMAXPROCS=1"}
		out, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState.ExitCode() >= 0 {
			t.Logf("%v: %s", args, out)
		}
		return err
	}
	install := []string{"install", "--yes", "--mcp", "--agent", string(c)}
	uninstall := []string{"uninstall", "--agent", string(c)}
	begin := func() {
		require.NoError(t, os.RemoveAll(top))
		for name, text := range map[string]string{
			"home/.claude/settings.json": "{\n  \"model\": \"x\"\n}\n", "home/.gemini/settings.json": "{\"theme\": \"y\"}", "home/.codex/config.toml": "model = \"z\"\n",
			"home/.copilot/config.json": "{}", "home/.config/opencode/opencode.json": "{}\n", "project/.git/HEAD": "ref: refs/heads/main\n", "store/x": "",
		} {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(top, name), []byte(text), 0o644))
		}
	}
	begin()
	before := snapshot(t, top)
	if run(nil, install...) != nil {
		require.NotEqual(t, agent.User, scope)
		t.Skip("it has no settings of this scope")
	}
	installed := snapshot(t, top)
	require.NotEqual(t, before, installed)
	require.NoError(t, os.CopyFS(saved, os.DirFS(top)))
	require.NoError(t, run(nil, uninstall...))
	require.Equal(t, before, snapshot(t, top))

	kills, step := 0, 3
	if repotest.Long() {
		step = 1
	}
	for _, call := range writingCalls {
		for _, args := range [][]string{install, uninstall} {
			for n := 1; ; n += step {
				begin()
				again, want := args, installed
				if args[0] == "uninstall" {
					require.NoError(t, os.RemoveAll(top))
					require.NoError(t, os.CopyFS(top, os.DirFS(saved)))
					again, want = uninstall[:1], before
				}
				kill := []string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call, "-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", call, n)}
				if run(kill, args...) == nil {
					break
				}
				kills++
				require.NoError(t, run(nil, again...), "%v before %s %d", args, call, n)
				require.Equal(t, want, snapshot(t, top), "%v, killed before %s %d", args, call, n)
			}
		}
	}
	require.GreaterOrEqual(t, kills, 2)
	t.Logf("killed %d times", kills)
}

// snapshot returns the files of a folder with their texts.
func snapshot(t *testing.T, top string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(top, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(name, filepath.Join(top, "store")) {
			return err
		}
		text, err := os.ReadFile(name)
		all[name[len(top):]] = string(text)
		return err
	}))
	return all
}
