package home

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// LookPath finds a program on the PATH, as exec.LookPath does, for use in a folder. A program in a
// work tree around the folder is none: agents let a repository set the PATH.
func LookPath(name, dir string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	tree := OuterTree(dir)
	if !filepath.IsAbs(path) || tree != "" && (isBelow(tree, path) || isBelow(tree, resolved(path))) {
		return "", fmt.Errorf("%s on the PATH is a program of the repository, and is not run: %w", name, exec.ErrNotFound)
	}
	return path, nil
}

// OuterTree returns the outermost work tree that holds a folder, with links resolved; "" if there is
// none. One that holds the user's home, as some keep their settings in git, is the user's own.
func OuterTree(dir string) (tree string) {
	own := resolved(systemHome())
	for at := resolved(dir); ; at = filepath.Dir(at) {
		if isGitDir(filepath.Join(at, ".git")) && (own == "" || !isBelow(at, own)) {
			tree = at
		}
		if filepath.Dir(at) == at {
			return tree
		}
	}
}

// ForGit returns the home folder that git gets, whose settings name programs: that of the environment
// with links resolved, unless it is relative or in a work tree; else that of the system's user database.
func ForGit(getenv func(string) string) string {
	named, own := UserFolder(getenv), systemHome()
	if named == own || !filepath.IsAbs(named) {
		return own
	}
	if named = resolved(named); workTree(named) != "" {
		return own
	}
	return named
}

// isBelow reports whether a path is a folder or below it.
func isBelow(folder, path string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, string(os.PathSeparator))+string(os.PathSeparator))
}

// resolved returns a path with links resolved, of which the end need not exist.
func resolved(path string) string {
	if path == "" {
		return ""
	}
	for at, missing := filepath.Clean(path), ""; ; at, missing = filepath.Dir(at), filepath.Join(filepath.Base(at), missing) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, missing)
		}
		if filepath.Dir(at) == at {
			return filepath.Clean(path)
		}
	}
}
