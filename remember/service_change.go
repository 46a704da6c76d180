package remember

import (
	"context"
	"slices"

	"whence/internal/learning"
	"whence/internal/store"
)

// Get returns one learning of this repository, or a global one, by id or name.
func (svc *Service) Get(ctx context.Context, name string) (d store.Detail, err error) {
	err = svc.read(ctx, func(ctx context.Context, s *store.Store) error {
		d, err = s.Get(ctx, svc.scope(), name)
		return err
	})
	return d, err
}

// scope returns what this repository sees of a store.
func (svc *Service) scope() store.Scope {
	return store.Scope{Project: svc.Project, Talk: svc.Turns}
}

// Forget deletes a learning, by id or name as for Get, and returns it as it was.
func (svc *Service) Forget(ctx context.Context, name string) (l learning.Learning, err error) {
	return svc.applyTo(ctx, name, store.Operation{Kind: store.OpForget})
}

// Edit changes a learning, by id or name as for Get, and returns the kinds of secrets that it
// removed from the new text.
func (svc *Service) Edit(ctx context.Context, name string, edit func(*learning.Learning)) (l learning.Learning, redacted []string, err error) {
	d, err := svc.Get(ctx, name)
	if err != nil {
		return l, nil, err
	}
	edited := d.Learning
	edited.Keywords, edited.References = slices.Clone(d.Keywords), slices.Clone(d.References)
	edit(&edited)
	if redacted, err = prepare(&edited); err != nil {
		return l, redacted, err
	}
	l, err = svc.apply(ctx, d.Learning, store.Operation{Kind: store.OpEdit, Edit: store.EditOf(d.Learning, edited)})
	if err == nil {
		svc.stored()
	}
	return l, redacted, err
}

// applyTo applies an operation to a named learning. If there is none, nothing is written, not even
// a new store.
func (svc *Service) applyTo(ctx context.Context, name string, op store.Operation) (l learning.Learning, err error) {
	d, err := svc.Get(ctx, name)
	if err != nil {
		return l, err
	}
	return svc.apply(ctx, d.Learning, op)
}

func (svc *Service) apply(ctx context.Context, before learning.Learning, op store.Operation) (learning.Learning, error) {
	op.ID, op.Before = before.ID, &before
	r, delayed, err := svc.commit(ctx, op, nil)
	if err == nil {
		svc.warn(delayed)
	}
	return r.Outcome.Learning, err
}

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
