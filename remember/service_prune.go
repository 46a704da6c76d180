package remember

import (
	"context"
	"errors"
	"fmt"

	"whence/internal/store"
	"whence/internal/team"
)

// Prune deletes captured turns. If there is no store, none is made. In a team's store it deletes
// those of the user; if the server cannot be used, it deletes those of the replica now and the
// others later.
func (svc *Service) Prune(ctx context.Context, o store.PruneOptions) (store.Pruned, error) {
	p, delayed, err := svc.Scope.Prune(ctx, svc.Server, o)
	switch {
	case err != nil || delayed == nil:
		return p, err
	case o.DryRun && svc.Server != nil:
		svc.warnReplica(ctx, delayed)
	case !o.DryRun:
		svc.warn(delayedPruneText(delayed))
	}
	return p, nil
}

// delayedPruneText says why turns that were deleted here are still in the team's store.
func delayedPruneText(why error) string {
	var unavailable *team.UnavailableError
	switch {
	case errors.As(why, &unavailable):
		return fmt.Sprintf("Deleted here; in the team's store when it can be reached again (%s).", unavailable.Reason())
	case errors.Is(why, team.ErrBehind):
		return "Deleted here; in the team's store when it has what was done before."
	}
	return "Deleted here; in the team's store with the next sync."
}
