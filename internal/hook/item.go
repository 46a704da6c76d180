package hook

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
	Key      string  // by which it is known to have been shown
	Evidence float64 // 1 and more is enough
	Place    string  // where it comes from, and how old it is
	Title    string
	Text     string
	Words    []string // by which it was found
	Here     bool     // it is of this repository
	Dir      string   // of its file, which paths in it may start from; "" is the root
}

// Finder finds what applies to a text, so many items at most.
type Finder func(ctx context.Context, m *Moment, text string, most int) ([]Item, error)

// Find is what all finders find, looked for side by side, best first.
func Find(ctx context.Context, m *Moment, text string, most int, finders ...Finder) ([]Item, error) {
	found := make([][]Item, len(finders))
	errs := make([]error, len(finders))
	work := make([]func(), len(finders))
	for i, find := range finders {
		work[i] = func() { found[i], errs[i] = find(ctx, m, text, most) }
	}
	parallel.Do(work...) // which hands over a panic
	all := slices.Concat(found...)
	slices.SortStableFunc(all, func(a, b Item) int { return cmp.Compare(b.Evidence, a.Evidence) })
	return all, errors.Join(errs...)
}

// Limits are how much is recalled for what.
type Limits struct {
	Items    int
	Evidence float64 // the least, as a multiple of what recall and search need
}

// How much is recalled: for what a user has typed, for a failure, and for what an agent is
// doing anyway, which says little and comes often.
var (
	ForPrompt  = Limits{Items: 3, Evidence: 1}
	ForFailure = Limits{Items: 3, Evidence: 1}
	ForAction  = Limits{Items: 2, Evidence: 2}
)

// recall is what applies to a text and was not shown in this session yet. The settings may
// switch it off.
func (m *Moment) recall(ctx context.Context, text string, l Limits, finders []Finder) (Say, error) {
	if !m.Config.Injection {
		return nil, nil
	}
	items, err := Find(ctx, m, text, l.Items, finders...)
	items = slices.DeleteFunc(items, func(i Item) bool { return i.Evidence < l.Evidence })
	items = items[:min(len(items), l.Items)]
	if len(items) == 0 {
		return nil, err
	}
	return func(s *State) agent.Reply {
		unseen := slices.DeleteFunc(slices.Clone(items), func(i Item) bool { return s.Has(m.Subagent, i.Key) })
		text, shown := m.render(unseen, budget-s.chars)
		for _, i := range shown {
			s.Add(m.Subagent, i.Key)
		}
		return agent.Reply{Context: text}
	}, err
}
