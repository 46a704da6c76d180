package remember

import (
	"context"

	"whence/internal/store"
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
		svc.warn("Deleted only here until " + whenDelivered(delayed))
	}
	return p, nil
}
