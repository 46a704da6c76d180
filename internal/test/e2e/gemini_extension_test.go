package e2e

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

const geminiExtension = "hooks/gemini-extension"

// Gemini CLI accepts the extension, installs it from a clone, and starts its server.
func TestGeminiExtension(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the client three times")
	}
	without := noNetwork(t)
	program := agentProgram(t, "gemini/node_modules/@google/gemini-cli/bundle/gemini.js")
	s := newSandbox(t, installed(t))
	s.env = append(s.env, "GEMINI_CLI_TRUST_WORKSPACE=true")
	dir, _ := s.published()
	gemini := func(args ...string) string {
		t.Helper()
		return s.run("", without[0], slices.Concat(without[1:], []string{client(t, "node"), program}, args)...)
	}
	extension := filepath.Join(dir, geminiExtension)
	require.Contains(t, gemini("extensions", "validate", extension), "successfully validated")
	gemini("extensions", "install", extension, "--consent")
	require.Contains(t, gemini("mcp", "list"), "✓ memory (from whence): memory-remember serve (stdio) - Connected")
}

// A decision reaches the model by the extension alone.
func TestGeminiExtensionInjects(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the client")
	}
	agents := otherAgents()
	a := agents[slices.IndexFunc(agents, func(a otherAgent) bool { return a.name == "gemini" })]
	program, bin := agentProgram(t, a.program), installed(t)
	home := map[string]any{}
	maps.Copy(home, a.homeFiles)
	for name, text := range texts(t, filepath.Join(repotest.Root(t), geminiExtension)) {
		home[".gemini/extensions/whence/"+name] = text
	}
	env := map[string]string{"WHENCE_HOME": "@WORK@/store", "PATH": bin + ":" + os.Getenv("PATH")}
	maps.Copy(env, a.env)
	p := play(t, scene{
		Name: "gemini-extension", Hooks: []string{}, Files: texts(t, filepath.Join(repotest.Root(t), "examples", "ferry")), HomeFiles: home, Env: env,
		Runs:   []clientRun{{Program: client(t, "node"), Args: slices.Concat([]string{program}, a.arguments)}},
		Routes: []route{{"charged twice", []turn{{Text: "done"}}}},
	})
	require.NotZero(t, p.first("- /when retrying a charge safely  ("))
}
