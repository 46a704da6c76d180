package hooks_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
)

// The plugin registers what install writes into the settings of a project.
func TestPluginRegistersTheSame(t *testing.T) {
	dir := t.TempDir()
	exit, out := install(dir, "--scope", "project")
	require.Equal(t, cli.OK, exit, out)
	read := func(name string) (file struct{ Description, Hooks json.RawMessage }) {
		t.Helper()
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(src, &file))
		return file
	}
	plugin := read("hooks.json")
	require.NotEmpty(t, plugin.Description)
	require.JSONEq(t, string(read(filepath.Join(dir, ".claude", "settings.json")).Hooks), string(plugin.Hooks))
}

// The extension for Gemini CLI registers what install writes into the settings of a project, and lists the
// server.
func TestGeminiExtensionIsTheSame(t *testing.T) {
	dir := t.TempDir()
	exit, out := install(dir, "--scope", "project", "--agent", "gemini")
	require.Equal(t, cli.OK, exit, out)
	type file struct {
		Name, Version, Description string
		Hooks                      json.RawMessage
		MCPServers                 json.RawMessage `json:"mcpServers"`
	}
	read := func(name string) (f file) {
		t.Helper()
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(src, &f))
		return f
	}
	written := read(filepath.Join(dir, ".gemini", "settings.json"))
	extension := read("gemini-extension/gemini-extension.json")
	require.Equal(t, "whence", extension.Name)
	require.Equal(t, cli.Version, extension.Version)
	require.NotEmpty(t, extension.Description)
	require.JSONEq(t, `{"memory": {"command": "memory-remember", "args": ["serve"]}}`, string(extension.MCPServers))
	require.JSONEq(t, string(written.Hooks), string(read("gemini-extension/hooks/hooks.json").Hooks))
}
