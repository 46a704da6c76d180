package home

import (
	"fmt"
	"os/exec"
	"path/filepath"

	"whence/internal/worktree"
)

// LookPath finds a program on the PATH, as exec.LookPath does, for use in a folder. It never returns a
// program in a work tree around the folder: agents let a repository set the PATH.
func LookPath(name, dir string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	tree, inside := OuterTree(dir), false
	if tree != "" {
		_, inside = worktree.Name(tree, path)
	}
	if inside || !filepath.IsAbs(path) {
		return "", fmt.Errorf("%s on the PATH is a program of the repository, and is not run: %w", name, exec.ErrNotFound)
	}
	return path, nil
}

// treesAround returns the work trees that hold a folder, which need not exist, with links resolved: the innermost first.
func treesAround(dir string) (trees []string) {
	for at := worktree.Resolved(dir); ; at = filepath.Dir(at) {
		if worktree.IsRoot(at) {
			trees = append(trees, at)
		}
		if filepath.Dir(at) == at {
			return trees
		}
	}
}

// OuterTree returns the outermost work tree that holds a folder, with links resolved; "" if there is
// none. One that holds the user's home, as some keep their settings in git, is the user's own.
func OuterTree(dir string) (outer string) {
	for _, tree := range treesAround(dir) {
		if _, isUsers := worktree.Name(tree, systemHome()); !isUsers {
			outer = tree
		}
	}
	return outer
}

// ForGit returns the home folder that git gets, whose settings name programs: that of the environment
// with links resolved, unless it is relative or in a work tree; else that of the system's user database.
func ForGit(getenv func(string) string) string {
	named, own := UserFolder(getenv), systemHome()
	if named == own || !filepath.IsAbs(named) || len(treesAround(named)) > 0 {
		return own
	}
	return worktree.Resolved(named)
}
