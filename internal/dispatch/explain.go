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
	var shown, others []Explained
	for _, i := range near {
		if after.WasShown(r.Subagent, i.Key) && !before.WasShown(r.Subagent, i.Key) {
			shown = append(shown, Explained{Item: i, Shown: true})
			continue
		}
		reason := "there is no room"
		if minP := limits.minP(i.Kind); i.P < minP {
			reason = fmt.Sprintf("p is below %g", minP)
		} else if !r.Config.Injection {
			reason = "memory_injection_enabled is false"
		} else if before.WasShown(r.Subagent, i.Key) {
			reason = "it was shown in this session"
		}
		others = append(others, Explained{Item: i, Reason: reason})
	}
	return reply, append(shown, others...), err
}
