package knowledge

import (
	"errors"
	"path/filepath"
	"time"

	"whence/internal/cli"
	"whence/internal/home"
	"whence/internal/repo"
)

// Of is the base of the repository that holds a folder, for an agent session; "" is the
// one that the environment names. Cwd is the folder in which the program was started, as
// for repo.Open. There is no policy in it: nothing is stored unasked.
func Of(dir, cwd string, getenv func(string) string, session string, now time.Time) (*Base, error) {
	at, err := home.Dir(getenv)
	if err != nil {
		return nil, err
	}
	project, err := projectOf(dir, cwd, getenv)
	if err != nil {
		return nil, err
	}
	if session == "" {
		session = SessionOf(getenv, now)
	}
	return &Base{Dir: at, Project: project, Talk: talk(project, dir), Session: session, Now: time.Now}, nil
}

// projectOf is the git directory that all worktrees of a repository share, or "" outside
// of any.
func projectOf(dir, cwd string, getenv func(string) string) (string, error) {
	r, err := repo.Open(dir, cwd, getenv)
	if errors.Is(err, repo.ErrNoRepository) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(r.CommonDir); err == nil {
		return real, nil
	}
	return r.CommonDir, nil
}

// Project is the git directory that all worktrees of the repository share in which a folder
// lies; "" outside of any, and where it cannot be read.
func Project(dir string, getenv func(string) string) string {
	project, err := projectOf(dir, dir, getenv)
	if err != nil {
		return ""
	}
	return project
}

// Talk is what the turns of an agent session in a folder belong to: the git directory that
// all worktrees of its repository share; outside of any, or where that cannot be read, the
// folder whose settings hold there. Unlike learnings, turns are never global: nobody has
// said that they hold elsewhere.
func Talk(dir string, getenv func(string) string) string { return talk(Project(dir, getenv), dir) }

func talk(project, dir string) string {
	if project != "" {
		return project
	}
	return cli.Root(filepath.Clean(dir))
}
