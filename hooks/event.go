package hooks

import (
	"context"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
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
func answer(ctx context.Context, env cli.Env, e agent.Event, now time.Time) (reply agent.Reply, err error) {
	run, known := answers[e.Name]
	if !known || !matters(e) {
		return reply, nil
	}
	m := &moment{Event: e, env: env, now: now}
	if m.store, err = store.Dir(env.Getenv); err != nil {
		return reply, err
	}
	if e.Cwd == "" {
		m.Cwd = env.Dir
	}
	m.root = worktree.Find(m.Cwd, config.ProjectFile, ".git", config.DefaultIndex)
	if m.tree, err = worktree.Open(m.root); err != nil {
		return reply, err
	}
	defer m.tree.Close()
	if m.config, err = config.Load(m.tree.FS(), env.Getenv); err != nil {
		return reply, err
	}
	return run(ctx, m)
}

// matters tells whether there is anything to do at an event, before any file is read.
func matters(e agent.Event) bool {
	switch e.Name {
	case agent.UserPromptSubmit:
		return spoken(e.Prompt) != ""
	case agent.PostToolUse:
		switch e.Tool {
		case "Bash":
			return e.Command != ""
		case "Read", "Edit", "Write", "MultiEdit", "NotebookEdit":
			return e.Path != ""
		}
		return false
	case agent.PostToolUseFailure:
		return !e.Interrupt && len(e.Error) >= shortestError && !fromHarness(e.Error)
	}
	return true
}

// shortestError is how many bytes an error has at least that says anything.
const shortestError = 10

// base is what the repository may do with learnings.
func (m *moment) base() (*knowledge.Base, error) {
	return knowledge.Of(m.root, m.env.Dir, m.env.Getenv, m.Session, m.now)
}
