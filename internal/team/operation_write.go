package team

import (
	"context"
	"errors"
	"time"

	"whence/internal/store"
)

// Time limits for connecting to a server and getting its answer.
const (
	readTime  = 1500 * time.Millisecond
	writeTime = 3 * time.Second
)

// ErrBehind reports that an operation has to wait for others.
var ErrBehind = errors.New("the team's store does not have earlier changes yet")

// errNoServer is the reason why a process that connects to no server delays an operation.
var errNoServer = errors.New("it is sent later")

// write is Scope.Apply for a team's store; delayed is why the operation was not done on the server.
func write(ctx context.Context, p *Replica, server *Server, op store.Operation, also AlsoFunc) (r store.Result, delayed, err error) {
	op = op.WithKey()
	if server == nil {
		r, err = writeHere(ctx, p, op, also)
		return r, errNoServer, err
	}
	begun := time.Now()
	if delayed = flush(ctx, p, server, p.Outbox(), writeTime); delayed == nil {
		err := server.Ask(ctx, p, writeTime-time.Since(begun), func(ctx context.Context, s *store.Store) error {
			_, err := s.Once(ctx, op.Key, func(tx *store.Store) (err error) {
				if r, err = tx.Apply(ctx, op); err == nil && also != nil {
					err = also(ctx, tx, r)
				}
				return err
			})
			return err
		})
		switch {
		case err == nil:
			_ = updateReplica(ctx, p, server, op, r) // the next refresh repeats it
			return r, nil, nil
		case !retryable(err):
			return store.Result{}, nil, err
		}
		delayed = err
	}
	r, err = writeHere(ctx, p, op, also)
	return r, delayed, err
}

// retryable reports whether an operation that failed on the server may succeed there later.
func retryable(err error) bool {
	away := (*UnavailableError)(nil)
	return errors.As(err, &away) || errors.Is(err, ErrBehind)
}

// flushGrace is how much longer several operations may take than one.
const flushGrace = 100 * time.Millisecond

// flush sends an outbox, so that nothing overtakes its operations. The error is why some of them
// were not sent.
func flush(ctx context.Context, p *Replica, server *Server, dir string, within time.Duration) error {
	if waiting, err := hasPending(dir); err != nil || !waiting {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, within+flushGrace) // after the deadline of one operation, whose error says more
	defer cancel()
	_, err := sendFrom(limited, p, server, dir, within, false)
	if away := (*UnavailableError)(nil); errors.As(err, &away) {
		return away
	}
	if waiting, err := hasPending(dir); err != nil || waiting {
		return errors.Join(ErrBehind, err)
	}
	return nil
}

// updateReplica repeats in the replica the changes that an operation made on the server, though that may
// have failed since.
func updateReplica(ctx context.Context, p *Replica, server *Server, op store.Operation, r store.Result) error {
	discarded := op.Kind == store.OpCapture && r.Decision == store.Discarded
	again := op.Kind == store.OpImport || op.Kind == store.OpCounts || discarded // the result lists no changes
	if len(r.Changes) == 0 && !again {
		return nil
	}
	s, err := store.Open(ctx, p.Dir())
	if err != nil {
		return err
	}
	_ = noteURL(p) // the next operation repeats it
	if again {
		_, err = s.Apply(ctx, op)
	} else {
		err = s.Replace(ctx, r.Changes)
	}
	return errors.Join(err, noteTeam(ctx, p, server, s), s.Close())
}

// noteTeam notes which team the login is in, if the replica follows no store yet: operations that are
// made while the server is unavailable are for that team.
func noteTeam(ctx context.Context, p *Replica, server *Server, s *store.Store) error {
	if st, err := stateOf(ctx, s); err != nil || st.Store != "" {
		return err
	}
	is, err := server.identity(ctx, p, readTime)
	if err != nil || is.Store == "" {
		return err
	}
	return noteIdentity(ctx, s, is)
}

// noteIdentity notes which store and team a replica follows, unless it already follows others.
func noteIdentity(ctx context.Context, s *store.Store, is store.Identity) error {
	return updateState(ctx, s, func(_ *store.Store, st *SyncState) error {
		if st.Store == "" || st.Store == is.Store && st.Team == "" {
			st.Store, st.Team = is.Store, is.Team
		}
		return nil
	})
}

// read runs a function on a team's server after sending the outbox. If that fails, the error is an
// [UnavailableError] or [ErrBehind].
func read(ctx context.Context, p *Replica, server *Server, run func(context.Context, *store.Store) error) error {
	begun := time.Now()
	if err := flush(ctx, p, server, p.Outbox(), readTime); err != nil {
		return err
	}
	return server.Ask(ctx, p, readTime-time.Since(begun), run)
}
