package hooks

import (
	"context"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/notes"
)

// notesHooks are what the notes of a project need: every event, whatever the tool. Without
// notes it costs a look at the folder.
func notesHooks() dispatch.Answers {
	answers := dispatch.Answers{agent.SessionStart: {{Run: note}}}
	for _, name := range agent.Names {
		if name != agent.SessionStart { // which makes the folder
			answers[name] = []dispatch.Answer{{Wants: hasNotes, Run: note}}
		}
	}
	return answers
}

// hasNotes reports whether the project of an event has notes.
func hasNotes(e agent.Event) bool { return notes.Present(cli.Root(e.Cwd)) }

// note does what an event means for the notes, and shows what they say. That counts as shown
// only if the reply is given.
func note(ctx context.Context, m *dispatch.Moment) (dispatch.Say, error) {
	if m.Trial {
		return nil, nil
	}
	injected, err := notes.Event(ctx, m.Root, m.Event, m.Config, m.Now)
	if injected.Text == "" {
		return nil, err
	}
	return func(s *dispatch.State) agent.Reply {
		if injected.Delivered != nil {
			s.After(injected.Delivered)
		}
		return agent.Reply{Context: injected.Text}
	}, err
}
