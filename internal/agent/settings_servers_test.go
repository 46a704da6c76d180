package agent_test

import (
	"path"
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
		{"a table of something else", agent.Codex, "[mcp_servers.x]\ncommand = \"other\"\n[notify]\ncommand = \"memory-remember\"\n", false},
	} {
		require.Equal(t, c.want, c.client.ListsServer([]byte(c.text), "/work/a"), c.name)
	}
}

func TestServerFile(t *testing.T) {
	elsewhere := func(name string) string { return map[string]string{"CLAUDE_CONFIG_DIR": "/cfg"}[name] }
	for _, c := range []struct {
		client agent.Client
		scope  agent.Scope
		getenv func(string) string
		want   string
	}{
		{agent.Claude, agent.User, noEnv, "/home/.claude.json"},
		{agent.Claude, agent.User, elsewhere, "/cfg/.claude.json"},
		{agent.Claude, agent.Project, elsewhere, "/work/.mcp.json"},
		{agent.Codex, agent.User, noEnv, "/home/.codex/config.toml"},
		{agent.Gemini, agent.Project, noEnv, "/work/.gemini/settings.json"},
		{agent.Copilot, agent.Project, noEnv, ""},
		{agent.Copilot, agent.Local, noEnv, ""},
	} {
		folder, name := c.client.ServerFile(c.scope, "/home", "/work", c.getenv)
		require.Equal(t, c.want, path.Join(folder, name))
	}
}

func noEnv(string) string { return "" }
