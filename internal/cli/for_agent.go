package cli

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"whence/internal/home"
	"whence/internal/worktree"
)

// folderVariables name folders of the user's own: the home, and those in which agents keep their
// settings, transcripts and plugins.
var folderVariables = []string{"HOME", "USERPROFILE", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME", "CLAUDE_PLUGIN_ROOT"}

// ForAgent returns the Env of a program that an agent has started. Agents let a repository set
// environment variables. Those with which git names a repository do not count, nor does a folder of
// the user's own that is relative or in the repository.
func (e Env) ForAgent() Env {
	all := e.Getenv
	root := sync.OnceValue(func() string { return cmp.Or(home.OuterTree(e.Dir), e.Dir) })
	e.Getenv = func(name string) string {
		if strings.HasPrefix(name, "GIT_") {
			return ""
		}
		value := all(name)
		if value == "" || !slices.Contains(folderVariables, name) {
			return value
		}
		if !filepath.IsAbs(value) {
			return ""
		}
		if _, inside := worktree.Name(root(), value); inside {
			return ""
		}
		return value
	}
	return e
}
