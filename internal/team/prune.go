package team

import (
	"context"
	"errors"
	"time"

	"whence/internal/store"
)

// pruneTurns is Scope.Prune for a team's store. The result describes the store that had more turns.
//
// It prunes the replica first: all its turns are in the outbox or on the server before the server
// prunes, so none comes back.
func pruneTurns(ctx context.Context, p *Replica, server *Server, o store.PruneOptions) (gone store.Pruned, delayed, err error) {
	gone, err = pruneLocal(ctx, p.Dir(), o)
	if err != nil {
		return store.Pruned{}, nil, err
	}
	op := store.Operation{Kind: store.OpPrune, At: time.Now().UTC(), Prune: &o}
	there, delayed, err := pruneServer(ctx, p, server, op)
	if err == nil && delayed != nil && !o.DryRun {
		err = p.Enqueue(op)
	}
	if err != nil {
		return store.Pruned{}, nil, err
	}
	if there.Turns > gone.Turns {
		gone = there
	}
	return gone, delayed, nil
}

// pruneLocal prunes the store in a folder, if there is one.
func pruneLocal(ctx context.Context, dir string, o store.PruneOptions) (gone store.Pruned, err error) {
	open := store.OpenExisting
	if o.DryRun {
		open = store.OpenReadOnly
	}
	s, err := open(ctx, dir)
	if errors.Is(err, store.ErrNone) {
		return gone, nil
	}
	if err != nil {
		return gone, err
	}
	gone, err = s.Prune(ctx, o)
	return gone, errors.Join(err, s.Close())
}

// pruneServer sends the outbox and prunes on the server; delayed is why it could not.
func pruneServer(ctx context.Context, p *Replica, server *Server, op store.Operation) (gone store.Pruned, delayed, err error) {
	if server == nil {
		return gone, errNoServer, nil
	}
	begun := time.Now()
	if delayed := flush(ctx, p, server, outbox(p, op.Kind), writeTime); delayed != nil {
		return gone, delayed, nil
	}
	err = server.Ask(ctx, p, writeTime-time.Since(begun), func(ctx context.Context, s *store.Store) error {
		r, err := s.Apply(ctx, op)
		gone = r.Pruned
		return err
	})
	if retryable(err) {
		return store.Pruned{}, err, nil
	}
	return gone, nil, err
}
