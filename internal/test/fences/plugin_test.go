package fences_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/test/repotest"
)

// readJSON reads a file of the module, in which no unknown field is allowed.
func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	file, err := os.Open(filepath.Join(repotest.Root(t), filepath.FromSlash(name)))
	require.NoError(t, err)
	defer file.Close()
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(into), name)
}

// Releases are named by the version that the programs print.
func TestVersionOfReleases(t *testing.T) {
	out, err := exec.Command(filepath.Join(repotest.Root(t), ".ci", "version")).Output()
	require.NoError(t, err)
	require.Equal(t, cli.Version+"\n", string(out))
}

// The plugin has the version of the programs, and starts one of them as its server.
func TestPlugin(t *testing.T) {
	var plugin struct {
		Name, Version, Description, License string
		Author                              struct{ Name string }
		Keywords                            []string
	}
	readJSON(t, ".claude-plugin/plugin.json", &plugin)
	require.Equal(t, "whence", plugin.Name)
	require.Equal(t, cli.Version, plugin.Version)
	require.NotEmpty(t, plugin.Description)

	var market struct {
		Name    string
		Owner   struct{ Name string }
		Plugins []struct{ Name, Source, Description string }
	}
	readJSON(t, ".claude-plugin/marketplace.json", &market)
	require.Len(t, market.Plugins, 1)
	require.Equal(t, plugin.Name, market.Plugins[0].Name)
	require.Equal(t, "./", market.Plugins[0].Source)

	var servers struct {
		MCPServers map[string]struct {
			Type, Command string
			Args          []string
		} `json:"mcpServers"`
	}
	readJSON(t, ".mcp.json", &servers)
	require.Len(t, servers.MCPServers, 1)
	server := servers.MCPServers["memory"]
	require.Equal(t, "stdio", server.Type)
	require.Equal(t, []string{"serve"}, server.Args)
	require.Contains(t, published, "remember/"+server.Command)
}
