package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

const (
	byCommand = agent.PointersHead + "memory-when '<trigger>' ['<another>']\n"

	toRetry     = "- /when retrying a charge safely  (Idempotency keys live in `payment_attempt`)\n"
	toPayment   = "- /when taking a payment  (Authorise at hold, capture at ticket issue)\n"
	readPayment = "memory-when 'taking a payment'"
	payment     = "Authorisation first; the tickets are written; then the capture."
)

// userFiles are the files of a user who has installed the hooks.
func userFiles(t *testing.T, bin, agent string, files map[string]any) map[string]any {
	t.Helper()
	home := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(home, name), []byte(text.(string)), 0o644))
	}
	install := exec.Command(filepath.Join(bin, "memory-hooks"), "install", "--yes", "--agent", agent)
	install.Dir, install.Env = home, []string{"HOME=" + home, "PATH=" + bin + ":/usr/local/bin:/usr/bin:/bin"}
	out, err := install.CombinedOutput()
	require.NoError(t, err, string(out))
	return texts(t, home)
}

// pointed is a scene in which Claude Code, as its user has installed everything by the docs, asks
// that user, who does not answer, about all that no setting allows.
func pointed(t *testing.T, bin, name, settings string, files map[string]any, routes ...route) scene {
	return scene{
		Name: name, Hooks: []string{}, Files: files, Routes: routes,
		HomeFiles: userFiles(t, bin, "claude", map[string]any{".claude/settings.json": settings}),
		Env:       map[string]string{"WHENCE_HOME": "@WORK@/store", "PATH": bin + ":/usr/local/bin:/usr/bin:/bin"},
		Runs: []clientRun{
			{Args: []string{"mcp", "add", "--scope", "user", "memory", "--", "memory-remember", "serve"}},
			{Args: []string{"-p", chargedTwice, "--output-format", "json"}},
		},
	}
}
