package config

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"whence/internal/decision"
	"whence/internal/home"
	"whence/internal/memory"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// Load reads the settings that apply in a folder or, if tree is nil, those of the user alone. As with [LoadFrom], the
// settings that can be read are returned with an error.
func Load(tree *worktree.Tree, getenv func(string) string) (Config, error) {
	u := UserOf(getenv)
	if tree == nil {
		return LoadFrom(embed.FS{}, u)
	}
	owner := tree.Dir
	main, err := mainWorktree(tree)
	if main != nil {
		defer main.Close()
		u.Main, owner = main.FS(), main.Dir
	}
	if err != nil && u.unread == nil {
		u.unread = fmt.Errorf("settings in %s: %w", LocalFile, err)
	}
	u.Outer, u.outerError = outerOf(tree.Dir, getenv)
	u.OwnsLocal = sync.OnceValue(func() bool { return isUsersFile(owner, LocalFile) })
	return LoadFrom(tree.FS(), u)
}

// outerOf returns the settings of the nearest folder with settings above a folder in the same repository; nil if there
// is none.
func outerOf(dir string, getenv func(string) string) (*Config, error) {
	top := worktree.Find(dir, ".git")
	if worktree.Same(top, dir) {
		return nil, nil
	}
	tree, err := worktree.Open(worktree.Find(filepath.Dir(dir), ProjectFile, ".git", DefaultIndex))
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	c, err := Load(tree, getenv)
	return &c, err
}

// mainWorktree returns the main worktree of a linked one that has no LocalFile of the user's own. It returns nil for
// any other folder, and an error if the main worktree cannot be found.
func mainWorktree(tree *worktree.Tree) (*worktree.Tree, error) {
	dotGit, err := os.Lstat(filepath.Join(tree.Dir, ".git"))
	if err != nil || !dotGit.Mode().IsRegular() {
		return nil, nil
	}
	if _, err := fs.Lstat(tree.FS(), LocalFile); !errors.Is(err, fs.ErrNotExist) && isUsersFile(tree.Dir, LocalFile) {
		return nil, nil
	}
	r, err := repo.Open(tree.Dir, tree.Dir, noVariables)
	if errors.Is(err, repo.ErrNoRepository) {
		return nil, nil
	}
	if err != nil || r.CommonDir == r.GitDir || filepath.Base(r.Identity()) != ".git" {
		return nil, err
	}
	return worktree.Open(filepath.Dir(r.Identity()))
}

// isUsersFile reports whether a file of a folder (its name has slashes) is the user's own: the user owns both, the
// folder is the root of a repository, and git does not track the file. A folder below the root may be a package that a
// tool put there.
func isUsersFile(dir, name string) bool {
	if !repo.Owned(filepath.Join(dir, filepath.FromSlash(name))) || !repo.Owned(dir) {
		return false
	}
	r, err := repo.Open(dir, dir, noVariables)
	if err != nil || !worktree.Same(dir, r.Root) {
		return false
	}
	tracked, err := r.Tracks(dir, name)
	return err == nil && !tracked
}

// noVariables is an environment without git's variables, since those may be about another repository.
func noVariables(string) string { return "" }

// Layout returns where the memory is.
func (c Config) Layout() memory.Layout {
	known := decision.Statuses{}
	for _, item := range c.Statuses {
		phrase, kind := cutStatus(item)
		_ = known.Add(phrase, kind) // Set has checked it
	}
	return memory.Layout{Index: c.Index, Decisions: c.Decisions, Documents: c.Documents, Statuses: known}
}

// Memory opens the memory in a folder. If keeps is set, git's answers are cached in the user's folder, if that exists.
// Limit bounds the time of git; 0 means that of any git command.
func (c Config) Memory(tree *worktree.Tree, getenv func(string) string, keeps bool, now time.Time, limit time.Duration) (*memory.Source, error) {
	s := memory.Options{Now: now, Limit: limit, AllowsIgnored: c.IgnoredMemory, Typed: c.Typed}
	dir, err := home.Dir(getenv)
	if info, missing := os.Stat(dir); keeps && err == nil && missing == nil && info.IsDir() {
		s.Home = dir
	}
	return memory.OpenWorktree(tree, c.Layout(), s)
}
