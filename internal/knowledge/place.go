package knowledge

import (
	"errors"
	"path/filepath"
	"time"

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
	return &Base{Dir: at, Project: project, Session: session, Now: time.Now}, nil
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

// Project is what learnings and turns of a folder belong to: the git directory that all
// worktrees of its repository share; "" outside of any.
func Project(dir string, getenv func(string) string) (string, error) {
	return projectOf(dir, dir, getenv)
}
