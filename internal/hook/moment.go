package hook

import (
	"errors"
	"path/filepath"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/harness"
	"whence/internal/home"
	"whence/internal/worktree"
)

// Moment is an event with what is needed to answer it.
type Moment struct {
	agent.Event
	Env    cli.Env
	Root   string // of the repository, or the working folder
	Tree   *worktree.Tree
	Config config.Config
	Home   string // the folder of package home
	Now    time.Time
}

// Open finds the repository of an event and reads its settings.
func Open(env cli.Env, e agent.Event, now time.Time) (m *Moment, err error) {
	m = &Moment{Event: e, Env: env, Now: now}
	if m.Home, err = home.Dir(env.Getenv); err != nil {
		return nil, err
	}
	if e.Cwd == "" {
		m.Cwd = env.Dir
	}
	m.Root = cli.Root(m.Cwd)
	if m.Tree, err = worktree.Open(m.Root); err != nil {
		return nil, err
	}
	if m.Config, err = config.Load(m.Tree.FS(), env.Getenv); err != nil {
		return nil, errors.Join(err, m.Tree.Close())
	}
	return m, nil
}

// Close releases the repository.
func (m *Moment) Close() error { return m.Tree.Close() }

// FromRoot is a path as it is known in the repository, with slashes, by whatever links it
// is reached; outside of it, as it is.
func (m *Moment) FromRoot(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(m.Cwd, path)
	}
	if rel, inside := below(path, m.Root, m.Cwd); inside {
		return rel
	}
	if rel, inside := below(resolved(path), resolved(m.Root), resolved(m.Cwd)); inside {
		return rel
	}
	return filepath.ToSlash(path)
}

// below is a path from the first of some folders that holds it, with slashes.
func below(path string, folders ...string) (rel string, inside bool) {
	for _, folder := range folders {
		if rel, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// resolved is a path without links, as far as there are files.
func resolved(path string) string {
	if found, err := filepath.EvalSymlinks(path); err == nil {
		return found
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(resolved(dir), filepath.Base(path))
	}
	return path
}

// matters tells whether there is anything to do at an event, before any file is read.
func matters(e agent.Event) bool {
	switch e.Name {
	case agent.UserPromptSubmit:
		return harness.Spoken(e.Prompt) != ""
	case agent.PostToolUse:
		switch e.Tool {
		case "Bash":
			return e.Command != ""
		case "Read", "Edit", "Write", "MultiEdit", "NotebookEdit":
			return e.Path != ""
		}
		return false
	case agent.PostToolUseFailure:
		return !e.Interrupt && len(e.Error) >= shortestError && !harness.IsMisuse(e.Error)
	}
	return true
}

// shortestError is how many bytes an error has at least that says anything.
const shortestError = 10
