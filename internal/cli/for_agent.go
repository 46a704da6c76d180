package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"whence/internal/config"
	"whence/internal/worktree"
)

// folderVariables name folders of the user's own: the home, and those in which agents keep their
// settings and transcripts.
var folderVariables = []string{"HOME", "USERPROFILE", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"}

// storeVariable may say that the user's own store is used. It may not name a team's: see checkStore.
const storeVariable = "WHENCE_STORE"

// checkStore refuses a team's store in the environment, without repeating it: agents let a repository
// set variables, and the URL may hold a password.
func checkStore(env Env) error {
	if value := env.Getenv(storeVariable); value == "" || value == config.LocalStore {
		return nil
	}
	return Usagef("%s may only be %s: name a team's store in your own %s (memory_store)", storeVariable, config.LocalStore, config.UserFile)
}

// ForAgent returns the Env of a program that an agent has started. Agents let a repository set
// environment variables. Those with which git names a repository do not count, nor does a team's
// store, nor a folder of the user's own that is relative or in the repository.
func (e Env) ForAgent() Env {
	all := e.Getenv
	root := sync.OnceValue(func() string { return worktree.Find(e.Dir, ".git") })
	e.Getenv = func(name string) string {
		if strings.HasPrefix(name, "GIT_") {
			return ""
		}
		value := all(name)
		if name == storeVariable && value != config.LocalStore {
			return ""
		}
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
