package config

import (
	"embed"
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
	u := UserOf(getenv)
	if tree == nil {
		return LoadFrom(embed.FS{}, u)
	}
	allowed := sync.OnceValue(func() []string { return allowedFor(getenv, RepositoryOf(tree.Dir)) })
	isUsers := map[string]func() bool{ // not variables, which agents let a repository set
		ProjectFile: sync.OnceValue(func() bool { return isUsersFile(tree.Dir, ProjectFile) }),
		LocalFile:   sync.OnceValue(func() bool { return isUsersFile(tree.Dir, LocalFile) }),
	}
	u.Allows = func(s Setting) bool {
		isOwn := isUsers[s.File]
		return slices.Contains(allowed(), s.String()) || isOwn != nil && isOwn()
	}
	return LoadFrom(tree.FS(), u)
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
	if r, err := repo.Open(dir, dir, noVariables); err == nil {
		return r.Identity()
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// isUsersFile reports whether a file of a folder (its name with slashes) is the user's: git does not track it,
// and it is at the root of a repository. A folder below may be a package that a tool has put there.
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
