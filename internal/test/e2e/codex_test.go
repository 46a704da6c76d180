package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/model"
)

// codex has no tool for reading, and reports a command that failed to hooks like any other: its rollout tells.
var codex = realAgent{
	name: "codex", registered: "codex",
	program: "codex/node_modules/@openai/codex-*/vendor/*/bin/codex",
	prompted: []string{
		"exec", "--skip-git-repo-check", "--json", "--dangerously-bypass-hook-trust", "-c", `model_provider="scripted"`, "-c", `model="gpt-5.5"`,
		"-c", `model_providers.scripted={name="scripted",base_url="@MODEL@/v1",env_key="MODEL_KEY",wire_api="responses"}`,
	},
	trusting: []string{"--dangerously-bypass-approvals-and-sandbox"},
	env:      map[string]string{"MODEL_KEY": "none", "CODEX_HOME": "@HOME@/.codex"},
	home:     map[string]string{".codex/config.toml": "[projects.\"@PROJECT@\"]\ntrust_level = \"trusted\"\n"},
	shell:    func(command string) model.Turn { return calls("exec_command", "cmd", command) },
	edit: func(path, before, after string) model.Turn {
		file := strings.TrimPrefix(path, "@PROJECT@/")
		return model.Turn{Tool: "apply_patch", Input: "*** Begin Patch\n*** Update File: " + file + "\n@@\n-" + before + "\n+" + after + "\n*** End Patch"}
	},
	silent: []string{"reading"},
}

// A command of Codex that fails brings the session in which it was fixed; one that passes, and prints the same, does not.
func TestCodexIsShownAPastFix(t *testing.T) {
	const prints = "echo 'berth roster export stalled: the harbour proxy dropped the connection after 95 seconds'"
	sc := inFerry(t, installed(t), codex).registered(t, codex)
	sc.runs = [][]string{
		codex.run(t, stalled),
		{"sh", "-c", "until memory-remember search keepalive | grep -q 95; do sleep .1; done; touch captured"},
		codex.run(t, "Go ahead."),
	}
	sc.routes = []model.Route{
		{When: "why does the harbour proxy drop", Turns: []model.Turn{says(answered)}},
		{When: "Go ahead.", Turns: []model.Turn{codex.shell(prints), codex.shell(prints + "; exit 4"), says("done")}},
	}
	p := play(t, sc)
	require.FileExists(t, filepath.Join(p.project, "captured"))
	require.Len(t, p.requests, 4)
	require.NotRegexp(t, sessionLine, p.requests[2], "it has passed")
	require.Regexp(t, sessionLine, p.requests[3])
}
