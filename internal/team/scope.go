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

// Scope is which store holds what is learned and said in a folder, and under what name.
type Scope struct {
	Dir     string   // of the store
	Replica *Replica // whose copy that is; nil: it is the user's own
	Project string   // the git directory of the repository, or its name in a team's store; "" outside of any
	Turns   string   // what turns belong to: Project, or outside of any repository the folder
	Remark  string   // what the user has to know of it; "" mostly
}

// ScopeOf is the place of a folder; cwd is as for Of.
func ScopeOf(dir, cwd string, getenv func(string) string) (Scope, error) {
	c, err := storeSettings(dir, getenv)
	if err != nil {
		return Scope{}, err
	}
	return ScopeWith(c, dir, cwd, getenv)
}

// storeSettings are the settings of a folder as far as they say which store is meant. One
// that cannot be opened has none but those of the environment.
func storeSettings(dir string, getenv func(string) string) (config.Config, error) {
	tree, err := worktree.Open(cli.Root(filepath.Clean(dir)))
	if err != nil {
		return config.LoadStore(nil, getenv)
	}
	defer tree.Close()
	c, err := config.LoadStore(tree, getenv)
	return c, cli.SettingsError(err)
}

// ScopeWith is ScopeOf for a caller that has read the settings. Where there is no home folder, and none is needed for
// it, the names stand beside the error.
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
		if refused != nil { // its files must not say which repository it is
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

// openRepository opens the repository that holds a folder; nil if there is none.
func openRepository(dir, cwd string, getenv func(string) string) (*repo.Repository, error) {
	r, err := repo.Open(dir, cwd, getenv)
	if errors.Is(err, repo.ErrNoRepository) {
		return nil, nil
	}
	return r, err
}

// gitDir is the git directory that all worktrees of a repository share; "" of none.
func gitDir(r *repo.Repository) string {
	if r == nil {
		return ""
	}
	return r.Identity()
}

// repositoryID tells a repository from others, whatever it says of itself: by the name of its remote
// or, where it has none, by its git directory.
func repositoryID(r *repo.Repository) (at string, remote bool) {
	name := r.SharedName()
	if _, secrets := redact.Text(name); name == "" || len(secrets) > 0 {
		return gitDir(r), false
	}
	return name, true
}

// sharedName is what a team calls a repository: as the settings say, else as its remote
// does. One without is known by its git directory, on this machine alone: no other one
// finds what is stored under that name. Folder is that of package home.
func sharedName(folder, called, at string, remote bool) string {
	switch {
	case called != "":
		return called
	case remote:
		return at
	}
	return ofThisMachine(folder, at)
}

// ofThisMachine is the name, in a team's store, of a folder that other machines do not have.
// Folder is that of package home.
func ofThisMachine(folder, dir string) string {
	return config.LocalNamePrefix + home.Machine(folder) + ":" + dir
}

// TurnScope is what the turns of an agent session in a folder belong to: its repository; outside
// of any, or where that cannot be read, the folder whose settings hold there. Unlike
// learnings, turns are never global: nobody has said that they hold elsewhere.
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
