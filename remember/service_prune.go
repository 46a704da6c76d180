package remember

import (
	"context"
	"errors"
	"fmt"

	"whence/internal/store"
	"whence/internal/team"
)

// Prune deletes captured turns. Where there is no store none is made, and nothing pruned. Of a
// team's store those of the user go; where it cannot be asked those of the copy go at once, and
// the others when it can.
func (b *Service) Prune(ctx context.Context, o store.PruneOptions) (store.Pruned, error) {
	p, kept, err := b.Scope.Prune(ctx, b.Server, o)
	switch {
	case err != nil || kept == nil:
		return p, err
	case o.DryRun && b.Server != nil:
		b.tellCopy(ctx, kept)
	case !o.DryRun:
		b.tell(laterText(kept))
	}
	return p, nil
}

// laterText says that what was deleted here is still in the team's store, and why.
func laterText(why error) string {
	var away *team.UnavailableError
	switch {
	case errors.As(why, &away):
		return fmt.Sprintf("Deleted here; in the team's store when it can be reached again (%s).", away.Reason())
	case errors.Is(why, team.ErrBehind):
		return "Deleted here; in the team's store when it has what was done before."
	}
	return "Deleted here; in the team's store when a worker has told it."
}
