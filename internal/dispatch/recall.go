package dispatch

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sourcegraph/conc"

	"whence/internal/agent"
	"whence/internal/shell"
	"whence/internal/words"
)

// RecallHandlers returns the handlers that inject what applies: to a prompt, to a file that was
// read, to a command that ran or failed. If answerQueries, which may be nil, answers a prompt,
// nothing else is recalled for it.
func RecallHandlers(answerQueries func(*Request) RenderFunc, finders ...Recaller) Handlers {
	recall := func(ctx context.Context, r *Request) (RenderFunc, error) { return r.recall(ctx, finders) }
	prompt := func(ctx context.Context, r *Request) (RenderFunc, error) {
		if answerQueries != nil {
			if render := answerQueries(r); render != nil {
				return render, nil
			}
		}
		return r.recall(ctx, finders)
	}
	// A program that is registered alone must also notice when an agent forgets.
	forgotten := Handler{Wants: forgets, Run: func(context.Context, *Request) (RenderFunc, error) { return nil, nil }}
	return Handlers{
		agent.SessionStart:       {forgotten},
		agent.PreCompact:         {forgotten},
		agent.UserPromptSubmit:   {{Wants: hasUserWords, Run: prompt}},
		agent.PostToolUse:        {{Wants: readsOrRuns, Run: recall}},
		agent.PostToolUseFailure: {{Wants: isFailure, Run: recall}},
	}
}

// hasUserWords reports whether a prompt has words of the user.
func hasUserWords(e agent.Event) bool { return agent.Spoken(e.Prompt) != "" }

// readsOrRuns reports whether a tool has read a file or run a command, except with programs of
// whence: the agent has asked the memory itself.
func readsOrRuns(e agent.Event) bool {
	return e.Tool == "Read" && e.Path != "" || e.Tool == "Bash" && e.Command != "" && !shell.RunsWhence(e.Command)
}

// isFailure reports whether an error is worth a look-up. It is not if the user has stopped the tool,
// the agent has misused it, or a program of whence has findings or no answer.
func isFailure(e agent.Event) bool {
	if e.Interrupt || len(e.Error) < minErrorBytes || agent.IsToolMisuse(e.Error) {
		return false
	}
	return !agent.IsWhenceTool(e.Tool) && !shell.IsOwnFailure(e.Command, agent.ToolOutput(e.Error))
}

// minErrorBytes is the minimum length of an error that says anything.
const minErrorBytes = 10

// recall renders what applies to a request and was not shown in this session, unless the settings
// switch it off.
func (r *Request) recall(ctx context.Context, finders []Recaller) (RenderFunc, error) {
	if !r.Config.Injection {
		return nil, nil
	}
	query, limits := r.lookUp()
	items, err := recallAll(ctx, r, query, limits, finders)
	if len(items) == 0 {
		return nil, err
	}
	return func(s *Session) agent.Reply { return agent.Reply{Context: r.render(s, items)} }, err
}

// lookUp returns the text that a request looks up, and how much may be shown for it.
func (r *Request) lookUp() (query string, limits Limits) {
	switch r.Name {
	case agent.UserPromptSubmit:
		return promptText(agent.Spoken(r.Prompt)), PromptLimits
	case agent.PostToolUseFailure:
		return failureText(r.Event), PromptLimits
	}
	if r.Tool == "Read" {
		return words.Beginning(r.FromRoot(r.Path), maxCommandBytes), ActionLimits
	}
	return words.Beginning(r.Command, maxCommandBytes), ActionLimits
}

// Kind is the kind of an item.
type Kind int

// The kinds of items, in the order in which they are shown.
const (
	Decision Kind = iota
	PastSession
	PastCommit
	Learning
)

// Item is a decision, past session, commit or learning that applies. The text of a past session or commit is the line that
// names it.
type Item struct {
	Kind   Kind
	Key    string  // identifies it in a session and in the log; see shownKey
	Query  string  // how to print it, as in "/when computing tax"; an agent sees that of decisions only
	P      float64 // probability that it applies
	Source string  // its origin and age
	Title  string
	Text   string
	Here   bool      // of a learning: it belongs to this repository
	At     time.Time // of a session or commit: when it began, or was made
}

// Recaller finds items that apply to a text, within limits.
type Recaller func(ctx context.Context, m *Request, text string, l Limits) ([]Item, error)

// recallAll runs all recallers concurrently and sorts the items: by kind; within a kind, the most probable first.
func recallAll(ctx context.Context, r *Request, text string, limits Limits, finders []Recaller) ([]Item, error) {
	found := make([][]Item, len(finders))
	errs := make([]error, len(finders))
	var running conc.WaitGroup
	for i, find := range finders {
		running.Go(func() { found[i], errs[i] = find(ctx, r, text, limits) })
	}
	running.Wait() // panics if one did
	items := slices.Concat(found...)
	slices.SortStableFunc(items, func(a, b Item) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.P, a.P))
	})
	return items, errors.Join(errs...)
}
