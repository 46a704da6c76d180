package when

import (
	"context"

	"whence/internal/dispatch"
)

// listYoung lists all decisions of a memory that has few, when a session begins or has been compacted.
func listYoung(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	if !r.Config.Injection {
		return nil, nil
	}
	l, err := openIfAny(r)
	if l == nil {
		return nil, err
	}
	found := l.decisions()
	if len(found) > dispatch.MaxListed {
		return nil, nil
	}
	var all []dispatch.Item
	for _, d := range found {
		all = append(all, d.item(shownTitle(d.Title, d.isProposed())))
	}
	return r.List(all), nil
}
