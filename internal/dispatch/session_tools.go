package dispatch

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/files"
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
	getenv := r.Env.Getenv
	home := cmp.Or(getenv("HOME"), getenv("USERPROFILE"))
	if program := cli.Program("memory-remember"); program != "" && cli.Command("memory-remember") != "memory-remember" {
		t.Folder = filepath.Dir(program)
	}
	if r.Agent == agent.Claude {
		t.Skills = r.FromPlugin() || pluginOn(r, home)
	}
	if t.Skills { // it provides the server
		return t
	}
	folder, names := r.Agent.ServerFiles(agent.User, home, r.Root, getenv)
	t.Server = slices.ContainsFunc(names, func(name string) bool {
		return r.Agent.ListsServer(r.ReadSettings(folder, name), r.Root, r.Cwd)
	})
	return t
}

// pluginOn reports whether the user's settings of Claude Code enable the plugin. Those of a project
// can only disable it.
func pluginOn(r *Request, home string) (on bool) {
	for _, scope := range agent.Scopes {
		folder, name, err := r.Agent.SettingsFile(scope, home, r.Root, r.Env.Getenv)
		if err != nil {
			continue
		}
		plugins, _ := r.Agent.Plugins(r.ReadSettings(folder, name))
		for plugin, value := range plugins {
			if strings.HasPrefix(plugin, agent.PluginPrefix) {
				on = value && (on || scope == agent.User)
			}
		}
	}
	return on
}
