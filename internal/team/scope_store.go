package team

import (
	"context"
	"errors"

	"whence/internal/config"
	"whence/internal/store"
)

// AlsoFunc runs after an operation on the store on which it was done, and in its transaction if
// the store is a team's.
type AlsoFunc func(ctx context.Context, s *store.Store, r store.Result) error

// Apply does an operation on the user's own store, or on that of the team: on its server and then
// on the replica or, if the server cannot be used, on the replica and through the outbox. Delayed
// is then the reason. If err is not nil, the operation was done nowhere.
func (s Scope) Apply(ctx context.Context, server *Server, op store.Operation, also AlsoFunc) (r store.Result, delayed, err error) {
	if s.Replica != nil {
		return write(ctx, s.Replica, server, op, also)
	}
	allowed := store.Projects(config.Promotable(s.Dir))
	op.Allowed = &allowed
	own, err := store.Open(ctx, s.Dir)
	if err != nil {
		return r, nil, err
	}
	if r, err = applyOwn(ctx, own, op, also); err != nil {
		_ = own.Close() // the first error says more
		return r, nil, err
	}
	return r, nil, own.Close()
}

// Read runs a function on the user's own store, or on that of the team: on its server or, if that
// cannot be used, once more on the replica. Stale is then the reason. The error is
// [store.ErrNone] if there is no store.
func (s Scope) Read(ctx context.Context, server *Server, run func(context.Context, *store.Store) error) (stale, err error) {
	if s.Replica != nil && server != nil {
		if stale = read(ctx, s.Replica, server, run); !retryable(stale) {
			return nil, stale
		}
	}
	local, err := store.OpenReadOnly(ctx, s.Dir)
	if err != nil {
		return stale, err
	}
	return stale, errors.Join(run(ctx, local), local.Close())
}

// ReadAndCount runs a function on the store like Read, and then applies the counts that it returns,
// if it returns any, like Apply. They are lost if the store cannot be written, and may be if the
// machine fails. The user's own store is opened only once.
func (s Scope) ReadAndCount(ctx context.Context, server *Server, run func(context.Context, *store.Store) (counts *store.Operation, err error)) (stale, err error) {
	var counts *store.Operation
	read := func(ctx context.Context, on *store.Store) (err error) {
		counts, err = run(ctx, on)
		return err
	}
	if s.Replica != nil {
		if stale, err = s.Read(ctx, server, read); err == nil && counts != nil {
			_, _, _ = write(ctx, s.Replica, server, *counts, nil)
		}
		return stale, err
	}
	own, err := store.OpenExisting(ctx, s.Dir)
	if err != nil { // it may be readable
		return s.Read(ctx, server, read)
	}
	if err = read(ctx, own); err == nil && counts != nil {
		_ = own.Together(ctx, func(tx *store.Store) error {
			_, err := tx.Apply(ctx, *counts)
			return err
		})
	}
	_ = own.Leave()
	return nil, err
}

func applyOwn(ctx context.Context, own *store.Store, op store.Operation, also AlsoFunc) (r store.Result, err error) {
	if r, err = own.Apply(ctx, op); err == nil && also != nil {
		err = also(ctx, own, r)
	}
	return r, err
}

// Prune deletes turns in the user's own store, or those of the user in the team's: in the replica
// now and on the server or, if that cannot be used, through the outbox. Delayed is then the
// reason. A dry run only counts. No store is created.
func (s Scope) Prune(ctx context.Context, server *Server, o store.PruneOptions) (p store.Pruned, delayed, err error) {
	if s.Replica != nil {
		return pruneTurns(ctx, s.Replica, server, o)
	}
	p, err = pruneLocal(ctx, s.Dir, o)
	return p, nil, err
}
