package team

import (
	"cmp"
	"errors"
	"path/filepath"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/home"
	"whence/internal/redact"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// Scope is the store of a folder's learnings and turns, and the names they have in it.
type Scope struct {
	Dir     string   // of the local store: the user's own, or the replica
	Replica *Replica // nil: the user's own store
	Project string   // the git directory of the repository, or its name in a team's store; "" without one
	Turns   string   // what turns belong to: Project or, without one, the folder
	Remark  string   // for the user, about a store or name that is not allowed; or ""
}

// ScopeOf returns the scope of a folder; cwd is as for repo.Open.
func ScopeOf(dir, cwd string, getenv func(string) string) (Scope, error) {
	c, err := storeSettings(dir, getenv)
	if err != nil {
		return Scope{}, err
	}
	return ScopeWith(c, dir, cwd, getenv)
}

// storeSettings reads the settings that name the store. A folder that cannot be opened has only those of the
// environment.
func storeSettings(dir string, getenv func(string) string) (config.Config, error) {
	tree, err := worktree.Open(cli.Root(filepath.Clean(dir)))
	if err != nil {
		return config.LoadStore(nil, getenv)
	}
	defer tree.Close()
	c, err := config.LoadStore(tree, getenv)
	return c, cli.SettingsError(err)
}

// ScopeWith is ScopeOf for a caller that has read the settings. If there is no home folder and the scope is
// the user's own store, the names are valid despite the error.
func ScopeWith(c config.Config, dir, cwd string, getenv func(string) string) (p Scope, err error) {
	at, homeless := home.Dir(getenv)
	if c.Store != "" && homeless != nil {
		return p, homeless
	}
	p.Dir = at
	if p.Replica, p.Remark, err = AllowedReplica(c, at); err != nil {
		return Scope{}, err
	}
	r, err := openRepository(dir, cwd, getenv)
	var refused *repo.UntrustedError
	if err != nil && !errors.As(err, &refused) {
		return Scope{}, err
	}
	if p.Replica == nil {
		p.Project = gitDir(r)
		if refused != nil { // its files must not decide which repository it is
			p.Project = refused.Dir
		}
		p.Turns = turnScope(p.Project, dir)
		return p, homeless
	}
	p.Dir = p.Replica.Dir()
	if refused != nil {
		p.Project = ofThisMachine(at, refused.Dir)
		p.Turns = p.Project
		return p, nil
	}
	if r == nil {
		p.Turns = ofThisMachine(at, cli.Root(filepath.Clean(dir)))
		return p, nil
	}
	told, remote := repositoryID(r)
	called, remark, err := AllowedName(c, at, told)
	if err != nil {
		return Scope{}, err
	}
	p.Remark = remark
	p.Project = sharedName(at, called, told, remote)
	p.Turns = p.Project
	return p, nil
}

// openRepository opens the repository of a folder; nil if there is none.
func openRepository(dir, cwd string, getenv func(string) string) (*repo.Repository, error) {
	r, err := repo.Open(dir, cwd, getenv)
	if errors.Is(err, repo.ErrNoRepository) {
		return nil, nil
	}
	return r, err
}

// gitDir returns the git directory that all worktrees of a repository share; "" without a repository.
func gitDir(r *repo.Repository) string {
	if r == nil {
		return ""
	}
	return r.Identity()
}

// repositoryID identifies a repository, whatever its files say: by the name of its remote or, without one,
// by its git directory.
func repositoryID(r *repo.Repository) (at string, remote bool) {
	name := r.SharedName()
	if _, secrets := redact.Text(name); name == "" || len(secrets) > 0 {
		return gitDir(r), false
	}
	return name, true
}

// sharedName returns a repository's name in a team's store: from the settings, or else its remote's. Without
// either it is one that no other machine uses. Folder is that of package home.
func sharedName(folder, called, at string, remote bool) string {
	switch {
	case called != "":
		return called
	case remote:
		return at
	}
	return ofThisMachine(folder, at)
}

// ofThisMachine returns the name, in a team's store, of a folder that other machines do not have.
func ofThisMachine(folder, dir string) string {
	return config.LocalNamePrefix + home.Machine(folder) + ":" + dir
}

// TurnScope returns what turns in a folder belong to: the repository or, outside of any or if that cannot be
// read, the folder whose settings apply. Unlike learnings, turns are never global.
func TurnScope(dir string, getenv func(string) string) string {
	p, _ := ScopeOf(dir, dir, getenv)
	return cmp.Or(p.Turns, turnScope("", dir))
}

func turnScope(project, dir string) string {
	if project != "" {
		return project
	}
	return cli.Root(filepath.Clean(dir))
}
