package home

import (
	"path/filepath"

	"whence/internal/agent"
	"whence/internal/worktree"
)

// OuterTree returns the outermost work tree that holds a folder, with links resolved; "" if there is
// none. One that holds the user's home, as some keep their settings in git, is the user's own.
func OuterTree(dir string) (outer string) {
	for _, tree := range worktree.TreesAround(dir) {
		if _, isUsers := worktree.Name(tree, OfSystem()); !isUsers {
			outer = tree
		}
	}
	return outer
}

// ForGit returns the home folder that git gets, whose settings say whom to trust: that of the environment
// with links resolved, unless it is relative or in a work tree, or an agent, which lets a repository set variables, is at
// work and no command that the user typed has stored anything there; else that of the system's user database.
func ForGit(getenv func(string) string) string {
	named, own := UserFolder(getenv), OfSystem()
	if named == own || !filepath.IsAbs(named) || len(worktree.TreesAround(named)) > 0 {
		return own
	}
	if own != "" && agent.InShellTool(getenv) && !isClaimed(dataFolder(named)) {
		return own
	}
	return worktree.Resolved(named)
}
