package remember

import (
	"bytes"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"

	"whence/internal/agent"
	"whence/internal/dispatch"
	"whence/internal/files"
	"whence/internal/worktree"
)

// pluginVariable is set by Claude Code for what a plugin brings: its hooks and its server.
const pluginVariable = "CLAUDE_PLUGIN_ROOT"

// toolsOf returns what the session of an event has to remember with, by the agent's own
// settings. What they do not say, or cannot be read, it does not have.
func toolsOf(r *dispatch.Request) (t SessionTools) {
	getenv := r.Env.Getenv
	home := getenv("HOME")
	if home == "" {
		home = getenv("USERPROFILE")
	}
	if program := Program(); program != "" {
		if _, err := exec.LookPath("memory-remember"); err != nil {
			t.Folder = filepath.Dir(program)
		}
	}
	if r.Agent == agent.Claude {
		t.Skills = getenv(pluginVariable) != "" || pluginOn(r, home)
	}
	if t.Skills { // the server comes with it
		return t
	}
	for _, scope := range []agent.Scope{agent.User, agent.Project} {
		folder, name := r.Agent.ServerFile(scope, home, r.Root, getenv)
		if src := readSettings(r, folder, name); r.Agent.ListsServer(src, r.Root, r.Cwd) {
			t.Server = true
			return t
		}
	}
	return t
}

// pluginOn reports whether the settings of Claude Code switch the plugin on: those of the
// narrowest scope that name it count.
func pluginOn(r *dispatch.Request, home string) (on bool) {
	for _, scope := range agent.Scopes {
		folder, name, err := r.Agent.SettingsFile(scope, home, r.Root, r.Env.Getenv)
		if err != nil {
			continue
		}
		src := readSettings(r, folder, name)
		if !bytes.Contains(src, []byte(agent.PluginPrefix)) {
			continue
		}
		plugins, err := r.Agent.Plugins(src)
		if err != nil {
			continue
		}
		for plugin, value := range plugins {
			if strings.HasPrefix(plugin, agent.PluginPrefix) {
				on = value
			}
		}
	}
	return on
}

// readSettings reads a file of an agent, or nothing.
func readSettings(r *dispatch.Request, folder, name string) []byte {
	if folder == "" || name == "" {
		return nil
	}
	tree, most := r.Tree, int64(maxProjectSettingsBytes)
	if folder != r.Root {
		most = maxSettingsBytes
		var err error
		if tree, err = worktree.Open(folder); err != nil {
			return nil
		}
		defer tree.Close()
	}
	if info, err := fs.Stat(tree.FS(), name); err != nil || info.Size() > most {
		return nil
	}
	src, err := files.ReadText(tree.FS(), name)
	if err != nil {
		return nil
	}
	return src
}

// How many bytes a file has at most that is read when a session begins. Claude Code keeps the
// user's list of servers among much else; a repository's file must not take the time of a reply.
const (
	maxSettingsBytes        = 4 << 20
	maxProjectSettingsBytes = 256 << 10
)
