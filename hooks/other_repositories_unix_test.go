//go:build unix

package hooks_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/hooks"
	"whence/internal/cli"
	"whence/internal/dispatch"
)

// In an agent's shell, doctor and report name no other repository, neither in a fault nor in the path of a transcript
// that cannot be read. The user sees both.
func TestNoOtherRepositoryIsNamedToAnAgent(t *testing.T) {
	dir, home := ferry(t)
	user := t.TempDir()
	require.NoError(t, os.WriteFile(dispatch.FaultLog(home), []byte("2026-11-01T10:00:00Z SessionStart: /src/secret-merger: no memory\n"), 0o600))
	transcripts := filepath.Join(user, ".claude", "projects", "-src-secret-merger")
	require.NoError(t, os.MkdirAll(transcripts, 0o700))
	require.NoError(t, os.Mkdir(filepath.Join(transcripts, "x"), 0o000))
	for name, agentsShell := range map[string]string{"the user": "", "an agent": "1"} {
		for _, command := range []string{"doctor", "report"} {
			var out bytes.Buffer
			variables := map[string]string{"WHENCE_HOME": home, "HOME": user, "CLAUDECODE": agentsShell}
			hooks.Main(cli.Env{
				Args: []string{"memory-hooks", command}, Dir: dir, Stdin: &bytes.Buffer{}, Stdout: &out, Stderr: &out,
				Getenv: func(name string) string { return variables[name] },
			})
			if command == "report" && os.Geteuid() == 0 {
				continue // who may read everything
			}
			if agentsShell == "" {
				require.Contains(t, out.String(), "secret-merger", "%s, %s", name, command)
			} else {
				require.NotContains(t, out.String(), "secret-merger", "%s, %s", name, command)
			}
		}
	}
}
