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
