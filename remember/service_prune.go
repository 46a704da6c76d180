package remember

import (
	"context"
	"errors"
	"fmt"

	"whence/internal/store"
	"whence/internal/team"
)

<<<<<<< HEAD
// Prune deletes captured turns. Where there is no store none is made, and nothing pruned. Of a
// team's store those of the user go; where it cannot be asked those of the copy go at once, and
// the others when it can.
func (b *Service) Prune(ctx context.Context, o store.PruneOptions) (store.Pruned, error) {
	p, kept, err := b.Scope.Prune(ctx, b.Server, o)
=======
// Prune deletes captured turns. If there is no store, none is made. In a team's store it deletes
// those of the user; if the server cannot be used, it deletes those of the replica now and the
// others later.
func (svc *Service) Prune(ctx context.Context, o store.PruneOptions) (p store.Pruned, err error) {
	if svc.Replica != nil {
		p, delayed, err := team.PruneTurns(ctx, svc.Replica, svc.Server, o)
		switch {
		case err != nil || delayed == nil:
		case !o.DryRun:
			svc.warn(delayedPruneText(delayed))
		case svc.Server != nil:
			svc.warnReplica(ctx, delayed)
		}
		return p, err
	}
	prune := func(ctx context.Context, s *store.Store) (err error) {
		p, err = s.Prune(ctx, o)
		return err
	}
	if o.DryRun {
		err = exceptNone(svc.ReadLocal(ctx, prune))
		return p, err
	}
	s, err := store.OpenExisting(ctx, svc.Dir)
	if err != nil {
		return p, exceptNone(err)
	}
	err = errors.Join(prune(ctx, s), s.Close())
	return p, err
}

// delayedPruneText says why turns that were deleted here are still in the team's store.
func delayedPruneText(why error) string {
	var unavailable *team.UnavailableError
>>>>>>> 62fec1e (remember: join service and commands, and name their types)
	switch {
	case errors.As(why, &unavailable):
		return fmt.Sprintf("Deleted here; in the team's store when it can be reached again (%s).", unavailable.Reason())
	case errors.Is(why, team.ErrBehind):
		return "Deleted here; in the team's store when it has what was done before."
	}
	return "Deleted here; in the team's store with the next sync."
}
