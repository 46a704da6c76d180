package dispatch

import (
	"context"
	"strings"

	"whence/internal/agent"
	"whence/internal/agent/usertext"
	"whence/internal/shell"
)

// Recalls are the answers that put before an agent what applies: to a prompt, to a file
// that was read, to a command that was run or has failed. A prompt that asked answers needs
// no more; asked may be nil.
func Recalls(asked func(*Moment) Say, finders ...Finder) Answers {
	prompt := func(ctx context.Context, m *Moment) (Say, error) {
		if asked != nil {
			if say := asked(m); say != nil {
				return say, nil
			}
		}
		return m.recall(ctx, Beginning(usertext.Spoken(m.Prompt), longestPrompt), ForPrompt, finders)
	}
	action := func(ctx context.Context, m *Moment) (Say, error) {
		text := m.Command
		if m.Tool == "Read" {
			text = m.FromRoot(m.Path)
		}
		return m.recall(ctx, Beginning(text, longestCommand), ForAction, finders)
	}
	failure := func(ctx context.Context, m *Moment) (Say, error) {
		return m.recall(ctx, Beginning(m.Command, longestCommand)+"\n"+essence(m.Error), ForFailure, finders)
	}
	// Where this is all that is registered, it has to be known when an agent forgets.
	forgotten := Answer{Wants: forgets, Run: func(context.Context, *Moment) (Say, error) { return nil, nil }}
	return Answers{
		agent.SessionStart:       {forgotten},
		agent.PreCompact:         {forgotten},
		agent.UserPromptSubmit:   {{Wants: saysSomething, Run: prompt}},
		agent.PostToolUse:        {{Wants: readsOrRuns, Run: action}},
		agent.PostToolUseFailure: {{Wants: isFailure, Run: failure}},
	}
}

// saysSomething reports whether a prompt has words of the user.
func saysSomething(e agent.Event) bool { return usertext.Spoken(e.Prompt) != "" }

// readsOrRuns reports whether a tool has read a file or run a command. Programs of whence
// are no question to it: their answer is in the agent's context already.
func readsOrRuns(e agent.Event) bool {
	return e.Tool == "Read" && e.Path != "" || e.Tool == "Bash" && e.Command != "" && !shell.RunsOnlyWhence(e.Command)
}

// isFailure reports whether an error is one of the work, and says anything: it is none if the
// user has stopped the tool, if the agent has used it wrongly, or if a program of whence has
// found nothing or has findings.
func isFailure(e agent.Event) bool {
	return !e.Interrupt && len(e.Error) >= shortestError && !usertext.IsMisuse(e.Error) && !shell.UsesOnlyWhence(e.Tool, e.Command)
}

// shortestError is how many bytes an error has at least that says anything.
const shortestError = 10

// How many bytes of a prompt, of a command or a path, and of an error are looked up.
const (
	longestPrompt  = 16 << 10
	longestCommand = 500
	longestError   = 2000
)

// essence is what an error says: its beginning, and its end, where long ones tell the cause.
func essence(failure string) string {
	failure = usertext.Output(failure)
	if len(failure) <= longestError {
		return failure
	}
	return Beginning(failure, longestError/2) + "\n" + strings.ToValidUTF8(failure[len(failure)-longestError/2:], "")
}

// Beginning is that of a text, so many bytes at most, with whole characters.
func Beginning(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
