package team

import (
	"context"
	"errors"
	"time"

	"whence/internal/store"
)

// PruneTurns deletes turns: in the copy at once, and on the server, or where that cannot be
// asked when it can be: kept is why. What it tells is of the one that had more of them. With
// DryRun they are counted, and nothing is kept for later: kept is why the server was not asked.
//
// Whatever the copy had was in the outbox before, and is with the server when that prunes: so
// nothing comes back there.
func PruneTurns(ctx context.Context, p *Replica, server *Server, o store.PruneOptions) (gone store.Pruned, kept, err error) {
	gone, err = pruneReplica(ctx, p, o)
	if err != nil {
		return store.Pruned{}, nil, err
	}
	op := store.Operation{Kind: store.OpPrune, At: time.Now().UTC(), Prune: &o}
	there, kept, err := pruneServer(ctx, p, server, op)
	if err == nil && kept != nil && !o.DryRun {
		err = p.Enqueue(op)
	}
	if err != nil {
		return store.Pruned{}, nil, err
	}
	if there.Turns > gone.Turns {
		gone = there
	}
	return gone, kept, nil
}

// pruneReplica prunes the copy, if there is one.
func pruneReplica(ctx context.Context, p *Replica, o store.PruneOptions) (gone store.Pruned, err error) {
	open := store.OpenExisting
	if o.DryRun {
		open = store.OpenReadOnly
	}
	s, err := open(ctx, p.Dir())
	if errors.Is(err, store.ErrNone) {
		return gone, nil
	}
	if err != nil {
		return gone, err
	}
	gone, err = s.Prune(ctx, o)
	return gone, errors.Join(err, s.Close())
}

// pruneServer prunes on the server, behind what waits; kept is why it does not.
func pruneServer(ctx context.Context, p *Replica, server *Server, op store.Operation) (gone store.Pruned, kept, err error) {
	if server == nil {
		return gone, errNoServer, nil
	}
	begun := time.Now()
	if kept := flush(ctx, p, server, outbox(p, op.Kind), WriteTime); kept != nil {
		return gone, kept, nil
	}
	err = server.Ask(ctx, p, WriteTime-time.Since(begun), func(ctx context.Context, s *store.Store) error {
		r, err := s.Apply(ctx, op)
		gone = r.Pruned
		return err
	})
	if retryable(err) {
		return store.Pruned{}, err, nil
	}
	return gone, nil, err
}
