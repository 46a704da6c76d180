package hook

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
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

	later later
}

// later is what is to be done once the reply is given.
type later struct {
	sync.Mutex
	do []func(context.Context)
}

// Later has something done that the agent need not wait for: it is called once the reply is
// given, with the time that is left, or never. The tree is closed then.
func (m *Moment) Later(do func(context.Context)) {
	m.later.Lock()
	defer m.later.Unlock()
	m.later.do = append(m.later.do, do)
}

// finish does what was left for later. A fault of the program is an error.
func (m *Moment) finish(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a fault in the program: %v", p)
		}
	}()
	for _, do := range m.later.do {
		do(ctx)
	}
	return nil
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

// FromRoot is a path as it is known in the repository, with slashes; outside of it, as it
// is.
func (m *Moment) FromRoot(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(m.Cwd, path)
	}
	for _, root := range []string{m.Root, m.Cwd} {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(path)
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
