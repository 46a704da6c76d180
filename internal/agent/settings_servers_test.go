package agent_test

import (
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

func TestListsServer(t *testing.T) {
	const element = `{"memory": {"type": "stdio", "command": "memory-remember", "args": ["serve"]}}`
	for _, c := range []struct {
		name   string
		client agent.Client
		text   string
		want   bool
	}{
		{"for all folders", agent.Claude, `{"mcpServers": ` + element + `}`, true},
		{"by its path", agent.Claude, `{"mcpServers": {"x": {"command": "/opt/bin/memory-remember"}}}`, true},
		{"by its path on Windows", agent.Copilot, `{"mcpServers": {"x": {"command": "C:\\go\\bin\\memory-remember.exe"}}}`, true},
		{"for this folder", agent.Claude, `{"projects": {"/work/a": {"mcpServers": ` + element + `}}}`, true},
		{"for another folder", agent.Claude, `{"projects": {"/work/b": {"mcpServers": ` + element + `}}}`, false},
		{"another program", agent.Claude, `{"mcpServers": {"memory-remember": {"command": "other"}}}`, false},
		{"said in a session", agent.Claude, `{"history": ["memory-remember"]}`, false},
		{"a list", agent.Claude, `["memory-remember"]`, false},
		{"cut off", agent.Claude, `{"mcpServers": {"memory": {"command": "memory-remember"`, false},
		{"nothing", agent.Claude, ``, false},
		{"with comments", agent.Gemini, "{ // mine\n\"mcpServers\": " + element + ",\n}", true},
		{"nested too deeply", agent.Gemini, `{"memory-remember": ` + strings.Repeat("[", 4<<20), false},
		{"a table", agent.Codex, "model = \"x\"\n[mcp_servers.memory]\ncommand = \"memory-remember\" # ours\nargs = [\"serve\"]\n", true},
		{"a command of several words", agent.OpenCode, `{"mcp": {"x": {"type": "local", "command": ["/opt/memory-remember", "serve"]}}}`, true},
		{"in the list of others", agent.OpenCode, `{"mcpServers": ` + element + `}`, false},
		{"a table of something else", agent.Codex, "[mcp_servers.x]\ncommand = \"other\"\n[notify]\ncommand = \"memory-remember\"\n", false},
	} {
		require.Equal(t, c.want, c.client.ListsServer([]byte(c.text), "/work/a"), c.name)
	}
}

func TestServerFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of another system")
	}
	elsewhere := func(name string) string {
		return map[string]string{"CLAUDE_CONFIG_DIR": "/cfg", "CODEX_HOME": "/cdx", "XDG_CONFIG_HOME": "/xdg"}[name]
	}
	for _, c := range []struct {
		client agent.Client
		getenv func(string) string
		want   string
	}{
		{agent.Claude, noEnv, "/home/.claude.json"},
		{agent.Claude, elsewhere, "/cfg/.claude.json"},
		{agent.Codex, noEnv, "/home/.codex/config.toml"},
		{agent.Codex, elsewhere, "/cdx/config.toml"},
		{agent.Gemini, noEnv, "/home/.gemini/settings.json"},
		{agent.Copilot, noEnv, "/home/.copilot/mcp-config.json"},
		{agent.OpenCode, noEnv, "/home/.config/opencode/opencode.jsonc"},
		{agent.OpenCode, elsewhere, "/xdg/opencode/opencode.jsonc"},
	} {
		folder, names := c.client.ServerFiles(filepath.FromSlash("/home"), c.getenv)
		require.Equal(t, c.want, path.Join(filepath.ToSlash(folder), names[0]))
	}
}

func TestServerCommand(t *testing.T) {
	require.Equal(t, "claude mcp add --scope user memory -- /opt/memory-remember serve", agent.Claude.ServerCommand(agent.User, "/opt/memory-remember"))
	require.Equal(t, "codex mcp add memory -- memory-remember serve", agent.Codex.ServerCommand(agent.Project, "memory-remember"))
	require.Contains(t, agent.OpenCode.ServerCommand(agent.User, "memory-remember"), `"command": ["memory-remember", "serve"]`)
}

func noEnv(string) string { return "" }
