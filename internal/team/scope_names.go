package team

import (
	"os"
	"path/filepath"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/home"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// Names are what learnings and turns of a folder belong to, as Base has it.
type Names struct{ Project, Talk string }

// NamesOf are those of a folder in the user's own store, and in one of a team, whichever the
// settings name; cwd is as for Of.
func NamesOf(dir, cwd string, getenv func(string) string) (own, shared Names, err error) {
	r, err := openRepository(dir, cwd, getenv)
	if err != nil {
		return own, shared, err
	}
	own.Project = gitDir(r)
	own.Talk = turnScope(own.Project, dir)
	if r == nil {
		return own, Names{Talk: ofThisMachine(homeOf(getenv), own.Talk)}, nil
	}
	shared.Project = nameAt(cli.Root(filepath.Clean(dir)), r, getenv)
	shared.Talk = shared.Project
	return own, shared, nil
}

// SharedName is what a team calls what is known in the user's own store by a git directory
// or a folder. It is not known of one that is gone.
func SharedName(path string, getenv func(string) string) (name string, known bool) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() || !filepath.IsAbs(path) {
		return "", false
	}
	if _, err := os.Stat(filepath.Join(path, "HEAD")); err != nil {
		return ofThisMachine(homeOf(getenv), path), true
	}
	root := path
	if filepath.Base(path) == ".git" {
		root = filepath.Dir(path)
	}
	return nameAt(root, &repo.Repository{Root: root, CommonDir: path}, getenv), true
}

// RepositoryID tells the repository that holds a folder from others, as AllowedName wants it; "" is
// that there is none. Cwd is as for Of.
func RepositoryID(dir, cwd string, getenv func(string) string) (at string, err error) {
	r, err := openRepository(dir, cwd, getenv)
	if err != nil || r == nil {
		return "", err
	}
	at, _ = repositoryID(r)
	return at, nil
}

// nameAt is what a team calls a repository whose settings lie in a folder.
func nameAt(root string, r *repo.Repository, getenv func(string) string) string {
	at, remote := repositoryID(r)
	folder := homeOf(getenv)
	return sharedName(folder, nameInSettings(root, folder, at, getenv), at, remote)
}

// OwnName is the git directory or folder that a team's store knows by a name of this machine
// alone.
func OwnName(name string, getenv func(string) string) (path string, known bool) {
	return strings.CutPrefix(name, ofThisMachine(homeOf(getenv), ""))
}

// homeOf is the folder of package home; "" where there is none.
func homeOf(getenv func(string) string) string {
	dir, err := home.Dir(getenv)
	if err != nil {
		return ""
	}
	return dir
}

// nameInSettings is what the settings of a folder call its repository, which at tells from others;
// "" where they say nothing, or cannot be read.
func nameInSettings(root, folder, at string, getenv func(string) string) string {
	if folder == "" {
		return ""
	}
	tree, err := worktree.Open(root)
	if err != nil {
		return ""
	}
	defer tree.Close()
	c, err := config.Load(tree, getenv)
	if err != nil {
		return ""
	}
	name, _, err := AllowedName(c, folder, at)
	if err != nil {
		return ""
	}
	return name
}
