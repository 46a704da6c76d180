package home

import (
	"path/filepath"

	"whence/internal/agent"
	"whence/internal/worktree"
)

// OuterTree returns the outermost work tree that holds a folder, with links resolved; "" if there is none. It
// skips a work tree that holds the user's home: some users keep their settings in git.
func OuterTree(dir string) (outer string) {
	for _, tree := range worktree.TreesAround(dir) {
		if _, isUsers := worktree.Name(tree, OfSystem()); !isUsers {
			outer = tree
		}
	}
	return outer
}

// ForGit returns the home folder that git is given; the git settings in it decide which repositories to trust. It is
// the one that the environment names, with links resolved. It is the one of the system's user database if the former is
// relative or in a work tree, or if an agent is at work, which lets a repository set variables, and the user has not
// claimed the former ([Claim]).
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
