package config

import (
	"embed"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

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
	check := permissionCheck{
		dir: tree.Dir, owners: map[string]fileOwner{},
		repository: sync.OnceValues(func() (*repo.Repository, error) { return repo.Open(tree.Dir, tree.Dir, noVariables) }),
	}
	check.allowed = sync.OnceValue(func() []string { return allowedFor(getenv, nameOf(tree.Dir, check.repository)) })
	u.Allows = check.allows
	return tree.FS(), u
}

// permissionCheck decides what files of a folder may ask for, during one call of Load.
type permissionCheck struct {
	dir        string
	repository func() (*repo.Repository, error) // opened once
	allowed    func() []string                  // settings that the user has allowed
	owners     map[string]fileOwner             // by file, as far as known
}

func (c *permissionCheck) allows(s Setting) bool {
	if slices.Contains(c.allowed(), s.String()) {
		return true
	}
	if s.File != ProjectFile && s.File != LocalFile { // agents let a repository set variables
		return false
	}
	owner, known := c.owners[s.File]
	if !known {
		owner = ownerOf(c.dir, s.File, c.repository)
		c.owners[s.File] = owner
	}
	return owner == theUser || owner == unknown && !s.ReachesOthers()
}

// allowedFor returns the settings that a repository is allowed; none if the list cannot be read.
func allowedFor(getenv func(string) string, repository string) []string {
	dir, err := home.Dir(getenv)
	if err != nil {
		return nil
	}
	record, err := PermissionOf(dir, repository)
	if err != nil {
		return nil
	}
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
	if err != nil || !r.IsRoot(dir) {
		return someoneElse
	}
	if tracked, err := r.Tracks(dir, name); err != nil || tracked {
		return someoneElse
	}
	return theUser
}

// noVariables is an environment without git's variables, which may be about another repository.
func noVariables(string) string { return "" }
