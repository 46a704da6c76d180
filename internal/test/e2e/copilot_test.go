package e2e

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/model"
)

// copilot is Copilot CLI, with a model of its user's own.
var copilot = realAgent{
	name: "copilot", registered: "copilot",
	program:  "copilot/node_modules/@github/copilot-linux-*/copilot",
	prompted: []string{"--no-auto-update", "--trust-folder", "-p"},
	trusting: []string{"--allow-all"},
	env: map[string]string{
		"COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false", "COPILOT_MODEL": "claude-sonnet-4.5",
		"COPILOT_PROVIDER_TYPE": "anthropic", "COPILOT_PROVIDER_BASE_URL": "@MODEL@", "COPILOT_PROVIDER_API_KEY": "none",
	},
	shell: func(command string) model.Turn { return calls("bash", "command", command, "description", "run") },
	read:  func(path string) model.Turn { return calls("view", "path", path) },
	edit: func(path, before, after string) model.Turn {
		return calls("edit", "path", path, "old_str", before, "new_str", after)
	},
}

// Copilot CLI runs what its user has approved, and nothing else.
func TestCopilotAsksOnce(t *testing.T) {
	sc := inFerry(t, installed(t), copilot).installed(t, copilot)
	sc.home[".copilot/permissions-config.json"] = `{"locations": {"@PROJECT@": {"tool_approvals": [{"kind": "commands", "commandIdentifiers": ["memory-when"]}]}}}`
	sc.runs = [][]string{copilot.asking(t, chargedTwice)}
	sc.routes = []model.Route{{When: "charged twice", Turns: []model.Turn{copilot.shell(readPayment), copilot.shell(readPayment + "; touch ASKED"), says("done")}}}
	p := play(t, sc)
	require.Len(t, p.requests, 3)
	require.Equal(t, 1, p.first(byCommand+toRetry))
	require.Equal(t, 2, p.first(payment))
	require.NoFileExists(t, filepath.Join(p.project, "ASKED"))
	require.Contains(t, p.requests[2], "Permission denied", "it asks, and no one answers")
}
