package dispatch

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"whence/internal/agent"
	"whence/internal/parallel"
)

// Item is a decision, learning or turn that applies.
type Item struct {
	Key          string  // identifies it in a session and in the log
	Evidence     float64 // 1 is enough
	Source       string  // where it is from, and its age
	Title        string
	Text         string
	Words        []string // that matched
	InRepository bool     // it belongs to this repository
	Named        bool     // the text names it
	Dir          string   // the folder of its file, which its paths may be relative to; "": the root
}

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
