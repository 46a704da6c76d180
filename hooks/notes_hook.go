package hooks

import (
	"context"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/notes"
)

// notesHooks returns the handlers for notes: every event, whatever the tool. A project without notes
// costs one look at the folder.
func notesHooks() dispatch.Handlers {
	handlers := dispatch.Handlers{agent.SessionStart: {{Run: note}}}
	for _, name := range agent.Names {
		if name != agent.SessionStart { // which makes the folder
			handlers[name] = []dispatch.Handler{{Wants: hasNotes, Run: note}}
		}
	}
	return handlers
}

// hasNotes reports whether the project of an event has notes.
func hasNotes(e agent.Event) bool { return notes.Present(cli.Root(e.Cwd)) }

// note updates the notes with an event, and injects what is new in them. That counts as shown only if
// the reply is given.
func note(ctx context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	if r.Homeless {
		return nil, nil
	}
	injected, err := notes.Event(ctx, r.Root, r.Event, r.Config, r.Now)
	if injected.Text == "" {
		return nil, err
	}
	return func(s *dispatch.Session) agent.Reply {
		if injected.Delivered != nil {
			s.After(injected.Delivered)
		}
		return agent.Reply{Context: injected.Text}
	}, err
}
