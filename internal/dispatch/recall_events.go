package dispatch

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"whence/internal/agent"
	"whence/internal/agent/usertext"
	"whence/internal/parallel"
	"whence/internal/shell"
)

// Recaller finds items that apply to a text, within limits.
type Recaller func(ctx context.Context, m *Request, text string, l Limits) ([]Item, error)

// Recall runs all recallers concurrently. Items that the text names come first, then the best.
func Recall(ctx context.Context, r *Request, text string, limits Limits, finders ...Recaller) ([]Item, error) {
	found := make([][]Item, len(finders))
	errs := make([]error, len(finders))
	work := make([]func(), len(finders))
	for i, find := range finders {
		work[i] = func() { found[i], errs[i] = find(ctx, r, text, limits) }
	}
	parallel.Do(work...) // panics if one did
	items := slices.Concat(found...)
	slices.SortStableFunc(items, func(a, b Item) int {
		switch {
		case a.Named == b.Named:
			return cmp.Compare(b.Evidence, a.Evidence)
		case a.Named:
			return -1
		}
		return 1
	})
	return items, errors.Join(errs...)
}

// Limits bound what is recalled: the number of items, and the evidence each needs, as a multiple of
// what recall and search need. Unasked, a learning needs more than a decision.
type Limits struct {
	Items    int
	Decision float64
	Learning float64 // and turn
}

// At 1.25, 4 of 12 commands and files to which a decision applies show it, and none of 98 unrelated
// ones shows any; at 1 it is 7 of 98, and at 2 nothing is shown. Learnings are shown at 9 of 98 from
// 1.25, at 1 from 2 (make eval).
var (
	PromptLimits  = Limits{Items: 3, Decision: 1, Learning: 1}
	FailureLimits = Limits{Items: 3, Decision: 1, Learning: 1}
	ActionLimits  = Limits{Items: 2, Decision: 1.25, Learning: 2}
)

// recall renders what applies to a text and was not shown in this session, unless the settings
// switch it off.
func (r *Request) recall(ctx context.Context, text string, limits Limits, finders []Recaller) (RenderFunc, error) {
	if !r.Config.Injection {
		return nil, nil
	}
	items, err := Recall(ctx, r, text, limits, finders...)
	items = items[:min(len(items), limits.Items)]
	if len(items) == 0 {
		return nil, err
	}
	return func(s *Session) agent.Reply {
		unseen := slices.DeleteFunc(slices.Clone(items), func(i Item) bool { return s.WasShown(r.Subagent, i.Key) })
		text, shown := r.render(unseen, maxReplyChars-s.chars)
		for _, i := range shown {
			s.MarkShown(r.Subagent, i.Key)
		}
		return agent.Reply{Context: text}
	}, err
}

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
		return r.recall(ctx, failureText(r.Event), FailureLimits, finders)
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

// readsOrRuns reports whether a tool has read a file or run a command, except with programs of
// whence: the agent has asked the memory itself.
func readsOrRuns(e agent.Event) bool {
	return e.Tool == "Read" && e.Path != "" || e.Tool == "Bash" && e.Command != "" && !shell.RunsWhence(e.Command)
}

// isFailure reports whether an error is worth a look-up. It is not if the user has stopped the tool,
// the agent has misused it, or a program of whence has findings or no answer.
func isFailure(e agent.Event) bool {
	return !e.Interrupt && len(e.Error) >= minErrorBytes && !usertext.IsMisuse(e.Error) && !shell.IsOwnFailure(e.Tool, e.Command, usertext.Output(e.Error))
}

// minErrorBytes is the size from which an error says anything.
const minErrorBytes = 10
