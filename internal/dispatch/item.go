package dispatch

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"whence/internal/agent"
	"whence/internal/parallel"
)

// Item is a decision or learning that applies.
type Item struct {
	Key          string  // by which it is known to have been shown
	Evidence     float64 // 1 and more is enough
	Source       string  // where it comes from, and how old it is
	Title        string
	Text         string
	Words        []string // by which it was found
	InRepository bool     // it is of this repository
	Named        bool     // the text names it: it comes before what only applies
	Dir          string   // of its file, which paths in it may start from; "" is the root
}

// Recaller finds what applies to a text, within the limits.
type Recaller func(ctx context.Context, m *Request, text string, l Limits) ([]Item, error)

// Recall is what all finders find, looked for side by side: what the text names first, then
// the best.
func Recall(ctx context.Context, r *Request, text string, limits Limits, finders ...Recaller) ([]Item, error) {
	found := make([][]Item, len(finders))
	errs := make([]error, len(finders))
	work := make([]func(), len(finders))
	for i, find := range finders {
		work[i] = func() { found[i], errs[i] = find(ctx, r, text, limits) }
	}
	parallel.Do(work...) // which hands over a panic
	all := slices.Concat(found...)
	slices.SortStableFunc(all, func(a, b Item) int {
		switch {
		case a.Named == b.Named:
			return cmp.Compare(b.Evidence, a.Evidence)
		case a.Named:
			return -1
		}
		return 1
	})
	return all, errors.Join(errs...)
}

// Limits are how much is recalled for what: so many items, each with the least evidence,
// as a multiple of what recall and search need. A decision says itself when it applies; a
// learning has to prove more where nobody has asked.
type Limits struct {
	Items    int
	Decision float64
	Learning float64 // and turn
}

// How much is recalled: for what a user has typed, for a failure, and for what an agent is
// doing anyway, which says little and comes often. At 1.25, 4 of 12 moments of commands and
// files that a decision applies to show it, and none of 98 commands and files of unrelated
// work shows any; at 1 these are 7 of 98, at 2 nothing is shown at all. Learnings are shown
// at 1.25 to 9 of 98, at 2 to 1 (make eval).
var (
	PromptLimits  = Limits{Items: 3, Decision: 1, Learning: 1}
	FailureLimits = Limits{Items: 3, Decision: 1, Learning: 1}
	ActionLimits  = Limits{Items: 2, Decision: 1.25, Learning: 2}
)

// recall is what applies to a text and was not shown in this session yet. The settings may
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
