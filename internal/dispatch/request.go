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

// Request is an event with what is needed to answer it.
type Request struct {
	agent.Event
	Env           cli.Env
	Root          string // of the repository, or the working folder
	Tree          *worktree.Tree
	Config        config.Config // the settings that can be read
	SettingsError error         // what is wrong with the others
	Home          string        // the folder of package home
	Now           time.Time
	Trial         bool   // nothing is written: doctor only tries whether there is an answer
	Captured      string // what the Keep of an answer has returned

	afterReply afterReply
}

// afterReply is what is to be done once the reply is given.
type afterReply struct {
	sync.Mutex
	do []func(context.Context)
}

// Later has something done that the agent need not wait for: it is called once the reply is
// given, with the time that is left, or never, as in a trial. The tree is closed then.
func (r *Request) Later(do func(context.Context)) {
	if r.Trial {
		return
	}
	r.afterReply.Lock()
	defer r.afterReply.Unlock()
	r.afterReply.do = append(r.afterReply.do, do)
}

// Finish does what was left for later. A fault of the program is an error.
func (r *Request) Finish(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = parallel.Recovered(p)
		}
	}()
	for _, do := range r.afterReply.do {
		do(ctx)
	}
	return nil
}

// TrialVariable is the variable of the environment that makes an event a trial, if it is 1.
const TrialVariable = "WHENCE_TRIAL"

func isTrial(getenv func(string) string) bool { return getenv(TrialVariable) == "1" }

// Open finds the repository of an event and reads its settings. One that cannot be read takes
// no other with it.
func Open(env cli.Env, e agent.Event, now time.Time) (*Request, error) {
	r, err := newRequest(env, e, now)
	if err != nil {
		return nil, err
	}
	if err := r.open(); err != nil {
		return nil, err
	}
	return r, nil
}

// newRequest returns what is known of an event before any file is opened.
func newRequest(env cli.Env, e agent.Event, now time.Time) (r *Request, err error) {
	r = &Request{Event: e, Env: env, Now: now, Trial: isTrial(env.Getenv)}
	if e.Cwd == "" {
		r.Cwd = env.Dir
	}
	r.Home, err = home.Dir(env.Getenv)
	return r, err
}

// open finds the repository and reads its settings.
func (r *Request) open() (err error) {
	r.Root = cli.Root(r.Cwd)
	if r.Tree, err = worktree.Open(r.Root); err != nil {
		return err
	}
	r.Config, r.SettingsError = config.Load(r.Tree, r.Env.Getenv)
	return nil
}

// Close releases the repository.
func (r *Request) Close() error { return r.Tree.Close() }

// FromRoot is a path as it is known in the repository, with slashes, by whatever links it
// is reached; outside of it, as it is.
func (r *Request) FromRoot(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.Cwd, path)
	}
	if name, inside := worktree.Name(r.Root, path); inside {
		return name
	}
	return filepath.ToSlash(path)
}
