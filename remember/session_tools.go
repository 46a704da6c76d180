package remember

import (
	"cmp"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"

	"whence/internal/agent"
	"whence/internal/dispatch"
	"whence/internal/files"
	"whence/internal/worktree"
)

// pluginVariable is set by Claude Code for the hooks and the server of a plugin.
const pluginVariable = "CLAUDE_PLUGIN_ROOT"

// toolsOf returns the tools that a session has according to the agent's settings. Settings that
// cannot be read count as empty.
func toolsOf(r *dispatch.Request) (t SessionTools) {
	getenv := r.Env.Getenv
	home := cmp.Or(getenv("HOME"), getenv("USERPROFILE"))
	if program := Program(); program != "" {
		if _, err := exec.LookPath("memory-remember"); err != nil {
			t.Folder = filepath.Dir(program)
		}
	}
	if r.Agent == agent.Claude {
		t.Skills = getenv(pluginVariable) != "" || pluginOn(r, home)
	}
	if t.Skills { // it provides the server
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

// pluginOn reports whether the settings of Claude Code enable the plugin; the narrowest scope that
// names it decides.
func pluginOn(r *dispatch.Request, home string) (on bool) {
	for _, scope := range agent.Scopes {
		folder, name, err := r.Agent.SettingsFile(scope, home, r.Root, r.Env.Getenv)
		if err != nil {
			continue
		}
		plugins, _ := r.Agent.Plugins(readSettings(r, folder, name))
		for plugin, value := range plugins {
			if strings.HasPrefix(plugin, agent.PluginPrefix) {
				on = value
			}
		}
	}
	return on
}

// readSettings reads a settings file of an agent, or returns nil.
func readSettings(r *dispatch.Request, folder, name string) []byte {
	if folder == "" || name == "" {
		return nil
	}
	tree, maxBytes := r.Tree, int64(maxProjectSettingsBytes)
	if folder != r.Root {
		maxBytes = maxSettingsBytes
		var err error
		if tree, err = worktree.Open(folder); err != nil {
			return nil
		}
		defer tree.Close()
	}
	if info, err := fs.Stat(tree.FS(), name); err != nil || info.Size() > maxBytes {
		return nil
	}
	src, err := files.ReadText(tree.FS(), name)
	if err != nil {
		return nil
	}
	return src
}

// These bound the files that are read when a session begins. Claude Code keeps the user's list of
// servers among much else; a repository's file must not delay the reply.
const (
	maxSettingsBytes        = 4 << 20
	maxProjectSettingsBytes = 256 << 10
)
