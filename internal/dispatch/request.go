package dispatch

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/home"
	"whence/internal/parallel"
	"whence/internal/worktree"
)

// Moment is an event with what is needed to answer it.
type Moment struct {
	agent.Event
	Env    cli.Env
	Root   string // of the repository, or the working folder
	Tree   *worktree.Tree
	Config config.Config // the settings that can be read
	Unset  error         // what is wrong with the others
	Home   string        // the folder of package home
	Now    time.Time
	Trial  bool   // nothing is written: doctor only tries whether there is an answer
	Kept   string // what the Keep of an answer has returned

	later later
}

// later is what is to be done once the reply is given.
type later struct {
	sync.Mutex
	do []func(context.Context)
}

// Later has something done that the agent need not wait for: it is called once the reply is
// given, with the time that is left, or never, as in a trial. The tree is closed then.
func (m *Moment) Later(do func(context.Context)) {
	if m.Trial {
		return
	}
	m.later.Lock()
	defer m.later.Unlock()
	m.later.do = append(m.later.do, do)
}

// Finish does what was left for later. A fault of the program is an error.
func (m *Moment) Finish(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = parallel.Recovered(p)
		}
	}()
	for _, do := range m.later.do {
		do(ctx)
	}
	return nil
}

// TrialVariable is the variable of the environment that makes an event a trial, if it is 1.
const TrialVariable = "WHENCE_TRIAL"

func isTrial(getenv func(string) string) bool { return getenv(TrialVariable) == "1" }

// Open finds the repository of an event and reads its settings. One that cannot be read takes
// no other with it.
func Open(env cli.Env, e agent.Event, now time.Time) (*Moment, error) {
	m, err := unopened(env, e, now)
	if err != nil {
		return nil, err
	}
	if err := m.open(); err != nil {
		return nil, err
	}
	return m, nil
}

// unopened returns what is known of an event before any file is opened.
func unopened(env cli.Env, e agent.Event, now time.Time) (m *Moment, err error) {
	m = &Moment{Event: e, Env: env, Now: now, Trial: isTrial(env.Getenv)}
	if e.Cwd == "" {
		m.Cwd = env.Dir
	}
	m.Home, err = home.Dir(env.Getenv)
	return m, err
}

// open finds the repository and reads its settings.
func (m *Moment) open() (err error) {
	m.Root = cli.Root(m.Cwd)
	if m.Tree, err = worktree.Open(m.Root); err != nil {
		return err
	}
	m.Config, m.Unset = config.Load(m.Tree, m.Env.Getenv)
	return nil
}

// Close releases the repository.
func (m *Moment) Close() error { return m.Tree.Close() }

// FromRoot is a path as it is known in the repository, with slashes, by whatever links it
// is reached; outside of it, as it is.
func (m *Moment) FromRoot(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(m.Cwd, path)
	}
	if name, inside := worktree.Name(m.Root, path); inside {
		return name
	}
	return filepath.ToSlash(path)
}
