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

// Names are the scopes of the learnings and turns of a folder.
type Names struct{ Project, Talk string }

// NamesOf returns the names of a folder in the user's own store, and in a team's; cwd is as for repo.Open.
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

// SharedName returns the name in a team's store of a git directory or folder in the user's own store. It is
// unknown if that no longer exists.
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

// RepositoryID identifies the repository of a folder, see [AllowedName]; "" if there is none. Cwd is as for repo.Open.
func RepositoryID(dir, cwd string, getenv func(string) string) (at string, err error) {
	r, err := openRepository(dir, cwd, getenv)
	if err != nil || r == nil {
		return "", err
	}
	at, _ = repositoryID(r)
	return at, nil
}

// nameAt returns the name in a team's store of a repository whose settings are in a folder.
func nameAt(root string, r *repo.Repository, getenv func(string) string) string {
	at, remote := repositoryID(r)
	folder := homeOf(getenv)
	return sharedName(folder, nameInSettings(root, folder, at, getenv), at, remote)
}

// OwnName returns the git directory or folder of a name that only this machine uses.
func OwnName(name string, getenv func(string) string) (path string, known bool) {
	return strings.CutPrefix(name, ofThisMachine(homeOf(getenv), ""))
}

// homeOf returns the folder of package home; "" if there is none.
func homeOf(getenv func(string) string) string {
	dir, err := home.Dir(getenv)
	if err != nil {
		return ""
	}
	return dir
}

// nameInSettings returns the name that the settings in a folder give to the repository at; "" if none, or if they
// cannot be read.
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
