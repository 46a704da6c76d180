package remember

import (
	"context"

	"whence/internal/learning"
	"whence/internal/store"
)

// Get returns one learning of this repository, or a global one, by id or name.
func (svc *Service) Get(ctx context.Context, name string) (d store.Detail, err error) {
	err = svc.Read(ctx, func(s *store.Store) error {
		d, err = s.Get(ctx, svc.scope(), name)
		return err
	})
	return d, err
}

// Forget deletes a learning, by id or name as for Get, and returns it as it was.
func (svc *Service) Forget(ctx context.Context, name string) (l learning.Learning, err error) {
	err = svc.change(ctx, func(s *store.Store) error {
		l, err = s.Forget(ctx, svc.scope(), name)
		return err
	})
	if err == nil {
		svc.stored()
	}
	return l, err
}

// Edit changes a learning, by id or name as for Get. It returns the learning as it was and as it is,
// and the kinds of secrets that it removed from the new text.
func (svc *Service) Edit(ctx context.Context, name string, edit func(*learning.Learning)) (before, after learning.Learning, redacted []string, err error) {
	err = svc.change(ctx, func(s *store.Store) error {
		before, after, err = s.Edit(ctx, svc.scope(), name, svc.Now(), func(l *learning.Learning) error {
			edit(l)
			redacted, err = prepare(l)
			return err
		})
		return err
	})
	if err == nil {
		svc.stored()
	}
	return before, after, redacted, err
}

// ImportError reports a learning that cannot be imported; then none is.
type ImportError struct {
	Name string
	At   int // its place among the learnings, from 0
	Err  error
}

func (e *ImportError) Error() string { return "learning " + e.Name + ": " + e.Err.Error() }
func (e *ImportError) Unwrap() error { return e.Err }

// Import adds learnings as they are, cleaned, and returns those that are new, and the kinds of secrets
// that it removed. Those that are known stay as they are. A dry run changes nothing.
func (svc *Service) Import(ctx context.Context, all []learning.Learning, dryRun bool) (added []learning.Learning, redacted []string, err error) {
	for i := range all {
		redacted = appendNew(redacted, clean(&all[i])...)
		complete(&all[i])
		if err := all[i].Validate(); err != nil {
			return nil, redacted, &ImportError{Name: all[i].Name, At: i, Err: err}
		}
	}
	if len(all) == 0 {
		return nil, nil, nil
	}
	err = svc.write(ctx, func(s *store.Store) error {
		added, err = s.Import(ctx, all, svc.Now(), dryRun)
		return err
	})
	if err == nil && !dryRun && len(added) > 0 {
		svc.stored()
	}
	return added, redacted, err
}

// Prune deletes captured turns. If there is no store, none is made.
func (svc *Service) Prune(ctx context.Context, o store.PruneOptions) (p store.Pruned, err error) {
	err = svc.change(ctx, func(s *store.Store) error {
		p, err = s.Prune(ctx, o)
		return err
	})
	return p, exceptNone(err)
}
