package dispatch

import (
	"context"
	"strings"

	"whence/internal/agent"
	"whence/internal/agent/usertext"
	"whence/internal/shell"
)

// RecallHandlers returns the handlers that inject what applies: to a prompt, to a file that was
// read, to a command that ran or failed. If answerQueries, which may be nil, answers a prompt,
// nothing else is recalled for it.
func RecallHandlers(answerQueries func(*Request) RenderFunc, finders ...Recaller) Handlers {
	prompt := func(ctx context.Context, r *Request) (RenderFunc, error) {
		if answerQueries != nil {
			if render := answerQueries(r); render != nil {
				return render, nil
			}
		}
		return r.recall(ctx, Beginning(usertext.Spoken(r.Prompt), maxPromptBytes), PromptLimits, finders)
	}
	action := func(ctx context.Context, r *Request) (RenderFunc, error) {
		text := r.Command
		if r.Tool == "Read" {
			text = r.FromRoot(r.Path)
		}
		return r.recall(ctx, Beginning(text, maxCommandBytes), ActionLimits, finders)
	}
	failure := func(ctx context.Context, r *Request) (RenderFunc, error) {
		return r.recall(ctx, Beginning(r.Command, maxCommandBytes)+"\n"+errorEnds(r.Error), FailureLimits, finders)
	}
	// A program registered alone has to notice when an agent forgets, too.
	forgotten := Handler{Wants: forgets, Run: func(context.Context, *Request) (RenderFunc, error) { return nil, nil }}
	return Handlers{
		agent.SessionStart:       {forgotten},
		agent.PreCompact:         {forgotten},
		agent.UserPromptSubmit:   {{Wants: hasUserWords, Run: prompt}},
		agent.PostToolUse:        {{Wants: readsOrRuns, Run: action}},
		agent.PostToolUseFailure: {{Wants: isFailure, Run: failure}},
	}
}

// hasUserWords reports whether a prompt has words of the user.
func hasUserWords(e agent.Event) bool { return usertext.Spoken(e.Prompt) != "" }

// readsOrRuns reports whether a tool has read a file or run a command, except programs of whence,
// whose output the agent has already.
func readsOrRuns(e agent.Event) bool {
	return e.Tool == "Read" && e.Path != "" || e.Tool == "Bash" && e.Command != "" && !shell.RunsOnlyWhence(e.Command)
}

// isFailure reports whether an error is worth a look-up. It is not if the user has stopped the tool,
// the agent has misused it, or a program of whence has findings.
func isFailure(e agent.Event) bool {
	return !e.Interrupt && len(e.Error) >= minErrorBytes && !usertext.IsMisuse(e.Error) && !shell.UsesOnlyWhence(e.Tool, e.Command)
}

// minErrorBytes is the size from which an error says anything.
const minErrorBytes = 10

// Bounds of the text that is looked up: of a prompt, of a command or path, and of an error.
const (
	maxPromptBytes  = 16 << 10
	maxCommandBytes = 500
	maxErrorBytes   = 2000
)

// errorEnds returns the beginning of an error and its end, which often names the cause.
func errorEnds(failure string) string {
	failure = usertext.Output(failure)
	if len(failure) <= maxErrorBytes {
		return failure
	}
	return Beginning(failure, maxErrorBytes/2) + "\n" + strings.ToValidUTF8(failure[len(failure)-maxErrorBytes/2:], "")
}

// Beginning returns the first maxBytes bytes of a text, without a cut character.
func Beginning(text string, maxBytes int) string {
	if len(text) <= maxBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxBytes], "")
}
