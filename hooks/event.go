package hooks

import (
	"context"
	"errors"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/harness"
	"whence/internal/knowledge"
	"whence/internal/store"
	"whence/internal/worktree"
)

// moment is an event with what is needed to answer it.
type moment struct {
	agent.Event
	env    cli.Env
	root   string // of the repository, or the working folder
	tree   *worktree.Tree
	config config.Config
	store  string // the folder of the store
	now    time.Time
	take   func() bool // tells whether a reply can still be given, and that it is now
}

// answers are what is done at each event. Events without one are passed over: they are
// there for capture.
var answers = map[string]func(context.Context, *moment) (agent.Reply, error){
	agent.SessionStart:       sessionStart,
	agent.UserPromptSubmit:   userPromptSubmit,
	agent.PostToolUse:        postToolUse,
	agent.PostToolUseFailure: postToolUseFailure,
	agent.Stop:               stop,
}

// answer works out the reply to an event.
func answer(ctx context.Context, env cli.Env, e agent.Event, now time.Time, take func() bool) (agent.Reply, error) {
	run, known := answers[e.Name]
	if !known || !matters(e) {
		return agent.Reply{}, nil
	}
	m, err := open(env, e, now)
	if err != nil {
		return agent.Reply{}, err
	}
	defer m.tree.Close()
	m.take = take
	return run(ctx, m)
}

// open finds the repository of an event and reads its settings.
func open(env cli.Env, e agent.Event, now time.Time) (m *moment, err error) {
	m = &moment{Event: e, env: env, now: now}
	if m.store, err = store.Dir(env.Getenv); err != nil {
		return nil, err
	}
	if e.Cwd == "" {
		m.Cwd = env.Dir
	}
	m.root = worktree.Find(m.Cwd, config.ProjectFile, ".git", config.DefaultIndex)
	if m.tree, err = worktree.Open(m.root); err != nil {
		return nil, err
	}
	if m.config, err = config.Load(m.tree.FS(), env.Getenv); err != nil {
		return nil, errors.Join(err, m.tree.Close())
	}
	return m, nil
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

// base is what the repository may do with learnings.
func (m *moment) base() (*knowledge.Base, error) {
	return knowledge.Of(m.root, m.env.Dir, m.env.Getenv, m.Session, m.now)
}
