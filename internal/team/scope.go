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

// storeSettings reads the settings that name the store; if the folder cannot be opened, those of the
// environment alone.
func storeSettings(dir string, getenv func(string) string) (config.Config, error) {
	tree, err := worktree.Open(cli.Root(filepath.Clean(dir)))
	if err != nil {
		return config.LoadStore(nil, getenv)
	}
	defer tree.Close()
	c, err := config.LoadStore(tree, getenv)
	return c, cli.SettingsError(err)
}

// ScopeWith is [ScopeOf] for a caller that has read the settings. Without a home folder, the scope of the
// user's own store has valid names beside the error.
func ScopeWith(c config.Config, dir, cwd string, getenv func(string) string) (p Scope, err error) {
	at, homeless := home.Dir(getenv)
	if c.Store != "" && homeless != nil {
		return p, homeless
	}
	p.Dir = at
	if p.Replica, p.Remark, err = AllowedReplica(c, at); err != nil {
		return Scope{}, err
	}
	r, err := openRepository(dir, cwd)
	var refused *repo.RefusedError
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
	if p.Project, p.Remark, err = sharedName(c, at, r); err != nil {
		return Scope{}, err
	}
	p.Turns = p.Project
	return p, nil
}

// openRepository opens the repository of a folder; nil if there is none. Variables of git do not decide
// whose learnings are shown.
func openRepository(dir, cwd string) (*repo.Repository, error) {
	r, err := repo.Open(dir, cwd, func(string) string { return "" })
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

// repositoryID returns what identifies a repository, whatever its files say: the name of its remote or,
// without one, its git directory.
func repositoryID(r *repo.Repository) (at string, remote bool) {
	name := r.SharedName()
	if _, secrets := redact.Text(name); name == "" || len(secrets) > 0 {
		return gitDir(r), false
	}
	return name, true
}

// sharedName returns a repository's name in a team's store: that of the settings, if the user allows it, or
// else the remote's. Without either it is one that no other machine uses. The remark is about a name that is
// not allowed. Folder is the folder of package home.
func sharedName(c config.Config, folder string, r *repo.Repository) (name, remark string, err error) {
	at, remote := repositoryID(r)
	name, remark, err = AllowedName(c, folder, at)
	switch {
	case name != "":
	case remote:
		name = at
	default:
		name = ofThisMachine(folder, at)
	}
	return name, remark, err
}

// ofThisMachine returns the name, in a team's store, of a folder that other machines do not have.
func ofThisMachine(folder, dir string) string {
	return config.LocalNamePrefix + home.Machine(folder) + ":" + dir
}

// TurnScope returns what the turns of a folder belong to: its repository or, if there is none or it cannot be
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
