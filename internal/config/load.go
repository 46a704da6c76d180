package config

import (
	"errors"
	"path/filepath"

	"whence/internal/home"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// Load reads the settings that hold in an opened folder. As with [config.LoadFrom], an error names
// what is wrong, and what can be read is returned beside it.
func Load(tree *worktree.Tree, getenv func(string) string) (Config, error) {
	return LoadFrom(tree.FS(), user(tree, getenv))
}

// LoadStore is [config.LoadStoreFrom] for an opened folder.
func LoadStore(tree *worktree.Tree, getenv func(string) string) (Config, error) {
	return LoadStoreFrom(tree.FS(), user(tree, getenv))
}

// user is the user of an opened folder. What they allow is looked up when a file asks for it.
func user(tree *worktree.Tree, getenv func(string) string) User {
	u := UserOf(getenv)
	a := permissionCheck{tree: tree, getenv: getenv, own: map[string]fileOwner{}}
	u.Allows = a.allows
	return u
}

// permissionCheck answers what a repository asks for, for one call of Load.
type permissionCheck struct {
	tree    *worktree.Tree
	getenv  func(string) string
	allowed map[string]bool      // settings; nil before the list is read
	own     map[string]fileOwner // by file, as far as known
}

func (a *permissionCheck) allows(s Setting) bool {
	if a.allowed == nil {
		a.allowed = allowedFor(a.getenv, RepositoryOf(a.tree.Dir))
	}
	if a.allowed[s.String()] {
		return true
	}
	own, known := a.own[s.File]
	if !known {
		own = ownerOf(a.tree.Dir, s.File)
		a.own[s.File] = own
	}
	return own == theUser || own == unknown && !s.ReachesOthers()
}

// allowedFor is the set of settings that a repository may have. A list that cannot be read
// allows none.
func allowedFor(getenv func(string) string, repository string) map[string]bool {
	allowed := map[string]bool{}
	dir, err := home.Dir(getenv)
	if err != nil {
		return allowed
	}
	records, err := Permissions(dir)
	if err != nil {
		return allowed
	}
	for _, r := range records {
		if r.Repository == repository {
			for _, setting := range r.Settings {
				allowed[setting] = true
			}
		}
	}
	return allowed
}

// RepositoryOf is the name under which a folder's permissions are kept: the git directory that
// its worktrees share, or the folder itself outside of any repository.
func RepositoryOf(dir string) string {
	if r, err := repo.Open(dir, dir, noVariables); err == nil {
		return r.Identity()
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// fileOwner says who wrote a file.
type fileOwner int

const (
	someoneElse fileOwner = iota // the file comes with the repository
	theUser
	unknown // there is no repository: the user, or the author of an archive
)

// ownerOf returns the owner of a file of a folder (its name with slashes). In a repository the
// user's own lie at its root: a folder below may be a package that a tool has put there.
func ownerOf(dir, name string) fileOwner {
	if !repo.Owned(filepath.Join(dir, filepath.FromSlash(name))) || !repo.Owned(dir) {
		return someoneElse
	}
	r, err := repo.Open(dir, dir, noVariables)
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
