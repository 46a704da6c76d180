package config

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"whence/internal/corpus"

	"whence/internal/home"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// Load reads the settings that hold in a folder; without one (nil), those of the user alone. As with
// [LoadFrom], what can be read is returned beside an error.
func Load(tree *worktree.Tree, getenv func(string) string) (Config, error) {
	return LoadFrom(sourcesOf(tree, getenv))
}

// sourcesOf returns the files of a folder, and its user, whose permissions are read when needed.
func sourcesOf(tree *worktree.Tree, getenv func(string) string) (fs.FS, User) {
	u := UserOf(getenv)
	if tree == nil {
		return embed.FS{}, u
	}
	repository := sync.OnceValues(func() (*repo.Repository, error) { return repo.Open(tree.Dir, tree.Dir, noVariables) })
	allowed := sync.OnceValue(func() []string { return allowedFor(getenv, nameOf(tree.Dir, repository)) })
	u.Allows = func(s Setting) bool {
		if slices.Contains(allowed(), s.String()) {
			return true
		}
		if s.File != ProjectFile && s.File != LocalFile { // agents let a repository set variables
			return false
		}
		owner := ownerOf(tree.Dir, s.File, repository)
		return owner == theUser || owner == unknown && !s.ReachesOthers()
	}
	return tree.FS(), u
}

// allowedFor returns the settings that a repository is allowed; none if the list cannot be read.
func allowedFor(getenv func(string) string, repository string) []string {
	dir, err := home.Dir(getenv)
	if err != nil {
		return nil
	}
	record, _ := PermissionOf(dir, repository)
	return record.Settings
}

// RepositoryOf returns the name under which a folder's permissions are kept: the git directory that
// its worktrees share; outside of any repository, the folder itself.
func RepositoryOf(dir string) string {
	return nameOf(dir, func() (*repo.Repository, error) { return repo.Open(dir, dir, noVariables) })
}

func nameOf(dir string, repository func() (*repo.Repository, error)) string {
	if r, err := repository(); err == nil {
		return r.Identity()
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// fileOwner is the author of a file.
type fileOwner int

const (
	someoneElse fileOwner = iota // the file comes with the repository
	theUser
	unknown // there is no repository: the user, or the author of an archive
)

// ownerOf returns the owner of a file of a folder (its name with slashes). In a repository the
// user's own files are at its root: a folder below may be a package that a tool has put there.
func ownerOf(dir, name string, repository func() (*repo.Repository, error)) fileOwner {
	if !repo.Owned(filepath.Join(dir, filepath.FromSlash(name))) || !repo.Owned(dir) {
		return someoneElse
	}
	r, err := repository()
	if errors.Is(err, repo.ErrNoRepository) {
		return unknown
	}
	if err != nil || !worktree.Same(dir, r.Root) {
		return someoneElse
	}
	if tracked, err := r.Tracks(dir, name); err != nil || tracked {
		return someoneElse
	}
	return theUser
}

// noVariables is an environment without git's variables, which may be about another repository.
func noVariables(string) string { return "" }

// Layout returns where the memory is.
func (c Config) Layout() corpus.Layout {
	return corpus.Layout{Index: c.Index, Decisions: c.Decisions, Documents: c.Documents}
}

// Memory opens the memory in a folder. With keeps, what git answers is kept in the user's folder if that
// exists. Git gets no longer than the limit; 0: as long as any command.
func (c Config) Memory(tree *worktree.Tree, getenv func(string) string, keeps bool, now time.Time, limit time.Duration) (*corpus.Memory, error) {
	s := corpus.Sources{Now: now, Limit: limit, AllowsIgnored: func(repository string) bool {
		return slices.Contains(allowedFor(getenv, repository), IgnoredMemory.String())
	}}
	dir, err := home.Dir(getenv)
	if info, missing := os.Stat(dir); keeps && err == nil && missing == nil && info.IsDir() {
		s.Home = dir
	}
	return corpus.OpenMemory(tree, c.Layout(), s)
}
