package e2e

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/model"
	"whence/internal/test/repotest"
)

var gemini = realAgent{
	name: "gemini", registered: "gemini",
	program:  "gemini/node_modules/@google/gemini-cli/bundle/gemini.js",
	prompted: []string{"-m", "gemini-2.5-pro", "--output-format", "json", "-p"},
	trusting: []string{"--yolo"},
	env: map[string]string{
		"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": "@MODEL@", "GEMINI_CLI_NO_RELAUNCH": "true", "GEMINI_CLI_TRUST_WORKSPACE": "true",
	},
	home:  map[string]string{".gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`},
	shell: func(command string) model.Turn { return calls("run_shell_command", "command", command) },
	read:  func(path string) model.Turn { return calls("read_file", "file_path", path) },
	edit: func(path, before, after string) model.Turn {
		return calls("replace", "file_path", path, "old_string", before, "new_string", after, "instruction", "shorten")
	},
}

const geminiExtension = "hooks/gemini-extension"

// Gemini CLI accepts the extension, installs it from a clone, and starts its server.
func TestGeminiExtension(t *testing.T) {
	s := newSandbox(t, installed(t))
	s.offline()
	s.env = append(s.env, "GEMINI_CLI_TRUST_WORKSPACE=true")
	dir, _ := s.published()
	run := func(args ...string) string {
		t.Helper()
		return s.runAll("", gemini.command(t, args...))
	}
	extension := filepath.Join(dir, geminiExtension)
	require.Contains(t, run("extensions", "validate", extension), "successfully validated")
	run("extensions", "install", extension, "--consent")
	require.Contains(t, run("mcp", "list"), "✓ memory (from whence): memory-remember serve (stdio) - Connected")
}

// A decision reaches the model by the extension alone.
func TestGeminiExtensionInjects(t *testing.T) {
	sc := inFerry(t, installed(t), gemini)
	for name, text := range texts(t, filepath.Join(repotest.Root(t), geminiExtension)) {
		sc.home[".gemini/extensions/whence/"+name] = text
	}
	sc.runs = [][]string{gemini.run(t, chargedTwice)}
	sc.routes = []model.Route{{When: "charged twice", Turns: []model.Turn{says("done")}}}
	require.NotZero(t, play(t, sc).first("- /when retrying a charge safely  ("))
}
