package team

import (
	"os"
	"path/filepath"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/home"
	"whence/internal/repo"
	"whence/internal/store"
	"whence/internal/worktree"
)

// NamesOf returns what the learnings and turns of a folder belong to in the user's own store, and in a team's;
// cwd is as for repo.Open.
func NamesOf(dir, cwd string, getenv func(string) string) (own, shared store.Scope, err error) {
	r, err := openRepository(dir, cwd)
	if err != nil {
		return own, shared, err
	}
	own.Project = gitDir(r)
	own.Talk = turnScope(own.Project, dir)
	if r == nil {
		shared.Talk = ofThisMachine(homeOf(getenv), own.Talk)
		return own, shared, nil
	}
	shared.Project = nameAt(cli.Root(filepath.Clean(dir)), r, getenv)
	shared.Talk = shared.Project
	return own, shared, nil
}

// SharedName returns the name in a team's store of a git directory or folder that the user's own store names.
// It is unknown if that no longer exists.
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

// RepositoryID returns what identifies the repository of a folder, see [AllowedName]; "" if there is none. Cwd
// is as for repo.Open.
func RepositoryID(dir, cwd string, getenv func(string) string) (at string, err error) {
	r, err := openRepository(dir, cwd)
	if err != nil || r == nil {
		return "", err
	}
	at, _ = repositoryID(r)
	return at, nil
}

// nameAt returns the name in a team's store of a repository whose settings are in a folder. Settings that
// cannot be read name nothing.
func nameAt(root string, r *repo.Repository, getenv func(string) string) string {
	folder := homeOf(getenv)
	var c config.Config
	if tree, err := worktree.Open(root); err == nil {
		defer tree.Close()
		if loaded, err := config.Load(tree, getenv); err == nil && folder != "" {
			c = loaded
		}
	}
	name, _, _ := sharedName(c, folder, r) // a list that cannot be read allows no name
	return name
}

// OwnName returns the git directory or folder of a name that only this machine uses; known is false for any
// other name.
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
