package dispatch

import (
	"encoding/json"
	"os"
	"path/filepath"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/worktree"
)

// pluginVariable is set by Claude Code for the hooks and the server of a plugin.
const pluginVariable = "CLAUDE_PLUGIN_ROOT"

// SessionTools are the means by which an agent reads and writes the memory in a session, besides the
// programs.
type SessionTools struct {
	Skills bool   // the plugin, which provides /remember, /when and the MCP server
	Folder string // of the programs, if they are not on the PATH
}

// FromPlugin reports whether the event comes from our plugin for Claude Code. The variable alone says
// little: agents let a repository set it.
func (r *Request) FromPlugin() bool {
	dir := r.Env.Getenv(pluginVariable)
	if dir == "" {
		return false
	}
	src, err := worktree.ReadText(os.DirFS(dir), ".claude-plugin/plugin.json")
	var plugin struct{ Name string }
	return err == nil && json.Unmarshal(src, &plugin) == nil && plugin.Name+"@" == agent.PluginPrefix
}

// Tools returns the tools of a session.
func (r *Request) Tools() SessionTools {
	t := SessionTools{Skills: r.FromPlugin()}
	if program := cli.Program("memory-remember"); program != "" && cli.Command("memory-remember") != "memory-remember" {
		t.Folder = filepath.Dir(program)
	}
	return t
}
