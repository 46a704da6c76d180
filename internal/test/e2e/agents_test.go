package e2e

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// otherAgent is how an agent beside Claude Code is started and what its model does, which
// is the same in each: it reads a file, runs a command, and one that fails, breaks the
// index, and stops.
type otherAgent struct {
	name      string
	settings  string // by which it is registered: the name of an agent
	program   string // of the installation
	arguments []string
	env       map[string]string
	homeFiles map[string]any
	files     map[string]any // of the project
	turns     []turn
	silent    []string // what it does not tell hooks of
	asides    bool     // it asks the model other things in between, such as what a command has read
}

const (
	backfill     = "tools/backfill/resumable_batched_update_throttle.go"
	copying      = "echo ran: grep agent_ro masked staging copy"
	failing      = "echo 'ERROR 55P03: canceling statement due to lock timeout' >&2; exit 3"
	declined     = "/when card is declined | Never retry a declined card | insufficient funds, bank said no, fraud score, other methods"
	declinedGone = "/when card is declined | Never retry a card | insufficient funds, bank said no, fraud score, other methods"
	chargedTwice = "A retry of a payment was charged twice. How do we take and retry payments?"
)

func in(fields ...string) map[string]any {
	input := map[string]any{}
	for i := 0; i < len(fields); i += 2 {
		input[fields[i]] = fields[i+1]
	}
	return input
}

// otherAgents are the others. Copilot CLI also runs what is registered with Claude Code.
func otherAgents() []otherAgent {
	const indexPath = "@PROJECT@/agents/memory-index.md"
	copilot := otherAgent{
		name: "copilot", settings: "copilot",
		program:   "copilot/node_modules/@github/copilot-linux-x64/copilot",
		arguments: []string{"-p", chargedTwice, "--allow-all", "--trust-folder", "--no-auto-update"},
		env: map[string]string{
			"COPILOT_OFFLINE": "true", "COPILOT_PROVIDER_TYPE": "anthropic", "COPILOT_PROVIDER_BASE_URL": "http://127.0.0.1:@PORT@",
			"COPILOT_PROVIDER_API_KEY": "fake", "COPILOT_MODEL": "claude-sonnet-4.5", "COPILOT_AUTO_UPDATE": "false",
		},
		turns: []turn{
			{Tool: "bash", Input: in("command", readPayment, "description", "decision")},
			{Tool: "view", Input: in("path", "@PROJECT@/"+backfill)},
			{Tool: "bash", Input: in("command", copying, "description", "copy")},
			{Tool: "bash", Input: in("command", failing, "description", "migrate")},
			{Tool: "edit", Input: in("path", indexPath, "old_str", declined, "new_str", declinedGone)},
		},
	}
	copilotAsClaude := copilot
	copilotAsClaude.name, copilotAsClaude.settings = "copilot-as-claude", "claude"
	return []otherAgent{
		copilot, copilotAsClaude,
		{ // one event that it did not know would cost the whole settings file
			name: "claude-old", settings: "claude",
			program:   "claude-old/node_modules/@anthropic-ai/claude-code/cli.js",
			arguments: append([]string{"-p", chargedTwice}, printMode...),
			turns: []turn{
				{Tool: "Bash", Input: in("command", readPayment, "description", "decision")},
				{Tool: "Read", Input: in("file_path", "@PROJECT@/"+backfill)},
				{Tool: "Bash", Input: in("command", copying, "description", "copy")},
				{Tool: "Bash", Input: in("command", failing, "description", "migrate")},
				{Tool: "Read", Input: in("file_path", indexPath)},
				{Tool: "Edit", Input: in("file_path", indexPath, "old_string", declined, "new_string", declinedGone)},
			},
			asides: true,
		},
		{
			name: "gemini", settings: "gemini",
			program:   "gemini/node_modules/@google/gemini-cli/bundle/gemini.js",
			arguments: []string{"-m", "gemini-2.5-pro", "-p", chargedTwice, "--yolo", "--output-format", "json"},
			env: map[string]string{
				"GEMINI_API_KEY": "fake", "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:@PORT@", "GEMINI_CLI_NO_RELAUNCH": "true", "GEMINI_CLI_TRUST_WORKSPACE": "true",
			},
			homeFiles: map[string]any{".gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`},
			turns: []turn{
				{Tool: "run_shell_command", Input: in("command", readPayment)},
				{Tool: "read_file", Input: in("file_path", "@PROJECT@/"+backfill)},
				{Tool: "run_shell_command", Input: in("command", copying)},
				{Tool: "run_shell_command", Input: in("command", failing)},
				{Tool: "replace", Input: in("file_path", indexPath, "old_string", declined, "new_string", declinedGone, "instruction", "shorten")},
			},
		},
		{
			name: "codex", settings: "codex",
			program: "codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
			arguments: []string{
				"exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "--json", "--dangerously-bypass-hook-trust",
				"-c", `model_provider="fake"`, "-c", `model="gpt-5.5"`,
				"-c", `model_providers.fake={name="fake",base_url="http://127.0.0.1:@PORT@/v1",env_key="FAKE_KEY",wire_api="responses"}`, chargedTwice,
			},
			env:       map[string]string{"FAKE_KEY": "fake", "CODEX_HOME": "@HOME@/.codex"},
			homeFiles: map[string]any{".codex/config.toml": "[projects.\"@PROJECT@\"]\ntrust_level = \"trusted\"\n"},
			turns: []turn{
				{Tool: "exec_command", Input: in("cmd", readPayment)},
				{Tool: "exec_command", Input: in("cmd", copying)},
				{Tool: "exec_command", Input: in("cmd", failing)},
				{Blocks: []any{map[string]any{"type": "tool_use", "custom": true, "name": "apply_patch", "input": "*** Begin Patch\n*** Update File: agents/memory-index.md\n@@\n-" + declined + "\n+" + declinedGone + "\n*** End Patch"}}},
			},
			silent: []string{"reading"}, // it has no tool for reading; a command that failed is one as any other
		},
		{
			name: "opencode", settings: "opencode",
			program:   "opencode/node_modules/opencode-linux-x64/bin/opencode",
			arguments: []string{"run", "--model", "fake/gpt", chargedTwice},
			env: map[string]string{
				"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1", "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
				"OPENCODE_CONFIG_CONTENT": `{"agent": {"title": {"disable": true}}, "provider": {"fake": {"npm": "@ai-sdk/anthropic", "name": "fake", "models": {"gpt": {"name": "gpt"}},
					"options": {"baseURL": "http://127.0.0.1:@PORT@/v1", "apiKey": "fake"}}}}`,
			},
			homeFiles: openCodePackages(".config/opencode/"),
			files:     openCodePackages(".opencode/"),
			turns: []turn{
				{Tool: "bash", Input: in("command", readPayment, "description", "decision")},
				{Tool: "read", Input: in("filePath", "@PROJECT@/"+backfill)},
				{Tool: "bash", Input: in("command", copying, "description", "copy")},
				{Tool: "bash", Input: in("command", failing, "description", "migrate")},
				{Tool: "read", Input: in("filePath", indexPath)},
				{Tool: "edit", Input: in("filePath", indexPath, "oldString", declined, "newString", declinedGone)},
			},
			silent: []string{"stopping"}, // "opencode run" ends when its model stops
		},
	}
}

// openCodePackages are the files by which OpenCode takes a folder's packages for installed. Before it
// loads a plugin, it would otherwise try for a minute to fetch its own.
func openCodePackages(folder string) map[string]any {
	const needs = `"dependencies": {"@opencode-ai/plugin": "1.18.33"}`
	return map[string]any{
		folder + "package.json": "{" + needs + "}", folder + "package-lock.json": `{"packages": {"": {` + needs + `}}}`, folder + "node_modules/.keep": "",
	}
}

// What is said to Claude Code is said to the others too, each in its own way.
func TestOtherAgents(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	for _, a := range otherAgents() {
		if a.name == "copilot-as-claude" && !repotest.Long() {
			continue
		}
		t.Run(a.name, func(t *testing.T) { a.play(t, bin) })
	}
}

// asSent returns a text of a hook as the agent sends it to the model.
func (a otherAgent) asSent(text string) string {
	if a.settings == "gemini" {
		return strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(text)
	}
	return text
}

func (a otherAgent) play(t *testing.T, bin string) {
	program := agentProgram(t, a.program)
	if strings.HasSuffix(program, ".js") {
		program, a.arguments = client(t, "node"), slices.Concat([]string{program}, a.arguments)
	}
	template := t.TempDir()
	require.NoError(t, os.CopyFS(template, os.DirFS(filepath.Join(repotest.Root(t), "examples", "ferry"))))
	register(t, bin, template, a.settings)
	files := texts(t, template)
	files[backfill] = "package backfill // as it was read\n"
	maps.Copy(files, a.files)
	env := map[string]string{"WHENCE_HOME": "@WORK@/store", "PATH": bin + ":/usr/local/bin:/usr/bin:/bin"}
	maps.Copy(env, a.env)
	home := map[string]any{".profile": "PATH=" + bin + ":$PATH\n"} // for the login shells of Codex
	maps.Copy(home, a.homeFiles)
	p := play(t, scene{
		Name: a.name, Hooks: []string{}, Files: files, HomeFiles: home, Env: env,
		Runs:   []clientRun{{Program: program, Args: a.arguments}},
		Routes: []route{{"charged twice", append(a.turns, turn{Text: "done before it is mended"}, turn{Text: "done for good"})}},
	})
	for _, c := range []struct{ what, told, with string }{
		{"beginning", "Tip: ", "charged twice"},
		{"prompt", "- /when retrying a charge safely  (", "charged twice"},
		{"prompt", a.asSent(byCommand + toRetry), "charged twice"},
		{"decision", payment, ""},
		{"reading", "- /how write a backfill  (", "package backfill // as it was read"},
		{"running", "- /when querying data as an agent  (", "ran: grep agent_ro"},
		{"failing", "/when altering a busy table", "ERROR 55P03: canceling statement due to lock timeout\n"},
		{"editing", "memory-validate has findings since the last event:", ""},
		{"stopping", "The memory was changed in this session, and memory-validate has findings now:", "done before it is mended"},
	} {
		if slices.Contains(a.silent, c.what) {
			require.Zero(t, p.first(c.told), "%s is told after all: take it out of silent", c.what)
			continue
		}
		require.NotZero(t, p.first(c.told), "%s: %s did not reach the model", c.what, c.told)
		if c.with != "" && !a.asides {
			require.Equal(t, p.first(c.with), p.first(c.told), "%s: %s", c.what, c.told)
		}
	}
	if a.asides {
		return
	}
	require.Equal(t, p.first(toPayment)+1, p.first(payment))
	stops := 2
	if slices.Contains(a.silent, "stopping") {
		stops = 1
	}
	require.Len(t, p.requests, len(a.turns)+stops, "the agent is kept from stopping once, and then it may")
}
