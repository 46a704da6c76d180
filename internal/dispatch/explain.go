package dispatch

import (
	"context"
	"fmt"
	"slices"
)

// Explained is an item that is near to a request, and how it would be shown.
type Explained struct {
	Item
	Shown  bool
	Reason string // why not
}

// Explain returns what would be injected for a request, and why: the items that are near, the
// injected ones first. Nothing counts as injected.
func Explain(ctx context.Context, r *Request, finders ...Recaller) (reply string, all []Explained, err error) {
	text, limits := r.lookUp()
	unbounded := limits
	unbounded.Decision, unbounded.Learning = 0, 0
	near, err := Recall(ctx, r, text, unbounded, finders...)
	found := slices.DeleteFunc(slices.Clone(near), func(i Item) bool { return i.P < limits.minP(i.Kind) })
	before, after := r.ReadSession(), r.ReadSession()
	if r.Config.Injection {
		reply = r.render(&after, found)
	}
	for _, i := range near {
		e := Explained{Item: i}
		switch {
		case after.WasShown(r.Subagent, i.Key) && !before.WasShown(r.Subagent, i.Key):
			e.Shown = true
		case i.P < limits.minP(i.Kind):
			e.Reason = fmt.Sprintf("p is below %g", limits.minP(i.Kind))
		case !r.Config.Injection:
			e.Reason = "memory_injection_enabled is false"
		case before.WasShown(r.Subagent, i.Key):
			e.Reason = "it was shown in this session"
		default:
			e.Reason = "there is no room"
		}
		all = append(all, e)
	}
	slices.SortStableFunc(all, func(a, b Explained) int {
		switch {
		case a.Shown && !b.Shown:
			return -1
		case !a.Shown && b.Shown:
			return 1
		}
		return 0
	})
	return reply, all, err
}
