package knowledge

import (
	"context"
	"errors"

	"whence/internal/store"
)

// Prune deletes captured turns. Where there is no store none is made, and nothing pruned.
func (b *Base) Prune(ctx context.Context, o store.PruneOptions) (p store.Pruned, err error) {
	if o.DryRun {
		err = b.ReadAny(ctx, func(s *store.Store) error {
			p, err = s.Prune(ctx, o)
			return err
		})
		return p, err
	}
	s, err := store.OpenExisting(ctx, b.Dir)
	if errors.Is(err, store.ErrNone) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	if p, err = s.Prune(ctx, o); err != nil {
		s.Close() // the first error tells more
		return p, err
	}
	return p, s.Close()
}
