package dispatch

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/files"
	"whence/internal/home"
)

// pluginVariable is set by Claude Code for the hooks and the server of a plugin.
const pluginVariable = "CLAUDE_PLUGIN_ROOT"

// SessionTools are the means by which an agent reads and writes the memory in a session, besides the
// programs.
type SessionTools struct {
	Skills bool   // the plugin, which provides /remember, /when and the server
	Server bool   // the MCP server
	Folder string // of the programs, if they are not on the PATH
}

// FromPlugin reports whether the event comes from our plugin for Claude Code. The variable alone says
// little: agents let a repository set it.
func (r *Request) FromPlugin() bool {
	dir := r.Env.Getenv(pluginVariable)
	if dir == "" {
		return false
	}
	src, err := files.ReadText(os.DirFS(dir), ".claude-plugin/plugin.json")
	var plugin struct{ Name string }
	return err == nil && json.Unmarshal(src, &plugin) == nil && plugin.Name+"@" == agent.PluginPrefix
}

// Tools returns the tools that a session has according to the user's settings. Those of the project
// do not count: the repository may name a server of its own there, which must not be recommended.
// Settings that cannot be read count as empty.
func (r *Request) Tools() (t SessionTools) {
	if program := cli.Program("memory-remember"); program != "" && cli.Command("memory-remember") != "memory-remember" {
		t.Folder = filepath.Dir(program)
	}
	if t.Skills = r.FromPlugin(); t.Skills { // it provides the server
		return t
	}
	folder, names := r.Agent.ServerFiles(home.UserFolder(r.Env.Getenv), r.Env.Getenv)
	tree, err := os.OpenRoot(folder)
	if err != nil {
		return t
	}
	defer tree.Close()
	t.Server = slices.ContainsFunc(names, func(name string) bool {
		return r.Agent.ListsServer([]byte(files.ReadBeginning(tree.FS(), name, maxServersBytes)), r.Root, r.Cwd)
	})
	return t
}

// maxServersBytes bounds the file that is read: Claude Code keeps the user's list among much else.
const maxServersBytes = 4 << 20
