package hooks

import (
	"context"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/notes"
	"whence/internal/worktree"
	"whence/validate"
)

// notesHooks returns the handlers for notes. They handle the events of all tools, since each call counts. In a project
// without notes, an event costs one look at the folder.
func notesHooks() dispatch.Handlers {
	noted := []dispatch.Handler{{Wants: hasNotes, Run: note}}
	return dispatch.Handlers{
		agent.SessionStart:       {{Run: note}}, // it creates the folder
		agent.UserPromptSubmit:   noted,
		agent.PostToolUse:        noted,
		agent.PostToolUseFailure: {{Wants: hasNotes, Record: recordFailure, Run: note}},
	}
}

// hasNotes reports whether the project of an event has notes.
func hasNotes(e agent.Event) bool { return notes.Present(cli.Root(e.Cwd)) }

// recordFailure records a failure before anything else runs that may take longer than the deadline. Therefore it reads
// the settings itself.
func recordFailure(r *dispatch.Request) error {
	root := cli.Root(r.Cwd)
	tree, err := worktree.Open(root)
	if err != nil {
		return err
	}
	defer tree.Close()
	c, _ := config.Load(tree, r.Env.Getenv) // settingsHooks reports an error once a session
	return notes.Record(root, r.Event, c, r.Now)
}

// note updates the notes with an event, and injects them if they are due.
func note(ctx context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	if r.Home == "" {
		return nil, nil
	}
	event := r.Event
	event.Edits = append(event.Edits, validate.ChangedByCommand(r)...)
	text, err := notes.Handle(ctx, r.Root, event, r.Config, r.Now)
	if text == "" {
		return nil, err
	}
	return func(*dispatch.Session) agent.Reply { return agent.Reply{Context: text} }, err
}
