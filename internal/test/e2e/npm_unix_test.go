//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// launched puts the launcher of the npm packages, as npm links it, beside the package of a platform
// whose program is a script, and returns the link.
func launched(t *testing.T, script string) string {
	t.Helper()
	node := repotest.Program(t, "node")
	name, err := exec.Command(node, "-p", "process.platform + '-' + process.arch").Output()
	require.NoError(t, err)
	modules := filepath.Join(t.TempDir(), "node_modules")
	source, err := os.ReadFile(filepath.Join(repotest.Root(t), "npm", "launcher.js"))
	require.NoError(t, err)
	files := map[string]string{"whence/bin/memory-when.js": string(source)}
	if script != "" {
		files["@whence/"+strings.TrimSpace(string(name))+"/bin/memory-when"] = "#!/bin/sh\n" + script
	}
	for name, text := range files {
		file := filepath.Join(modules, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o755))
	}
	link := filepath.Join(modules, ".bin", "memory-when")
	require.NoError(t, os.Mkdir(filepath.Dir(link), 0o755))
	require.NoError(t, os.Symlink("../whence/bin/memory-when.js", link))
	return link
}

// A program of the npm packages gets its arguments and streams, and its exit status is returned.
func TestNpmLauncher(t *testing.T) {
	cmd := exec.Command(launched(t, `printf '<%s>' "$@"; cat; echo oops >&2; exit 3`), "a b", "--fix", "")
	cmd.Stdin = strings.NewReader("in")
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.Error(t, cmd.Run())
	require.Equal(t, 3, cmd.ProcessState.ExitCode())
	require.Equal(t, "<a b><--fix><>in", stdout.String())
	require.Equal(t, "oops\n", stderr.String())
}

func TestNpmLauncherPassesSignalsOn(t *testing.T) {
	cmd := exec.Command(launched(t, `trap 'echo stopped; exit 5' TERM; echo ready; for i in $(seq 600); do sleep 1; done`))
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	ready := make([]byte, 6)
	_, err = out.Read(ready)
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	rest := make([]byte, 64)
	n, _ := out.Read(rest)
	require.Equal(t, "stopped\n", string(rest[:n]))
	require.Error(t, cmd.Wait())
	require.Equal(t, 5, cmd.ProcessState.ExitCode())
}

// The launcher dies of the signal of which the program died.
func TestNpmLauncherOfAKilledProgram(t *testing.T) {
	cmd := exec.Command(launched(t, `kill -TERM $$`))
	require.Error(t, cmd.Run())
	require.Equal(t, syscall.SIGTERM, cmd.ProcessState.Sys().(syscall.WaitStatus).Signal())
}

func TestNpmLauncherWithoutThePackageOfThePlatform(t *testing.T) {
	cmd := exec.Command(launched(t, ""))
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, 4, cmd.ProcessState.ExitCode())
	require.Regexp(t, `^memory-when: npm has not installed @whence/\S+, the programs for this platform\. .*\n$`, string(out))
}
