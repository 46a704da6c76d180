package e2e

import (
	"strings"

	"whence/internal/test/model"
)

// codex has no tool for reading, and reports a command that failed to hooks like any other.
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
