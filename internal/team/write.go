package team

import (
	"context"
	"errors"
	"time"

	"whence/internal/store"
)

// How long a server may take to be reached and to answer.
const (
	ReadTime  = 1500 * time.Millisecond
	WriteTime = 3 * time.Second
)

// ErrBehind is that an operation waits behind others.
var ErrBehind = errors.New("what was done before is not there yet")

// errNoServer is that no server can be asked by this process.
var errNoServer = errors.New("it is told later")

// write is Scope.Apply for a team's store.
func write(ctx context.Context, p *Replica, server *Server, op store.Operation, also AlsoFunc) (r store.Result, kept, err error) {
	op = op.WithKey()
	if server == nil {
		r, err = writeHere(ctx, p, op, also)
		return r, errNoServer, err
	}
	begun := time.Now()
	if kept = flush(ctx, p, server, p.Outbox(), WriteTime); kept == nil {
		err := server.Ask(ctx, p, WriteTime-time.Since(begun), func(ctx context.Context, s *store.Store) error {
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
			_ = updateReplica(ctx, p, server, op, r) // else the next refresh does
			return r, nil, nil
		case !retryable(err):
			return store.Result{}, nil, err
		}
		kept = err
	}
	r, err = writeHere(ctx, p, op, also)
	return r, kept, err
}

// retryable tells whether an operation that was not done on the server may be later.
func retryable(err error) bool {
	away := (*UnavailableError)(nil)
	return errors.As(err, &away) || errors.Is(err, ErrBehind)
}

// flushGrace is how much longer several operations may take than one.
const flushGrace = 100 * time.Millisecond

// flush brings what waits in an outbox to the server, so that nothing overtakes it. The error
// is why something waits still.
func flush(ctx context.Context, p *Replica, server *Server, dir string, within time.Duration) error {
	if waiting, err := hasPending(dir); err != nil || !waiting {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, within+flushGrace) // later than one operation's, which tells more
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

// updateReplica brings into the copy what an operation has come to on the server.
func updateReplica(ctx context.Context, p *Replica, server *Server, op store.Operation, r store.Result) error {
	discarded := op.Kind == store.OpCapture && r.Decision == store.Discarded
	again := op.Kind == store.OpImport || op.Kind == store.OpCounts || discarded // it knows no better
	if len(r.Changes) == 0 && !again {
		return nil
	}
	s, err := store.Open(ctx, p.Dir())
	if err != nil {
		return err
	}
	_ = noteURL(p) // else the next operation does
	if err := noteTeam(ctx, p, server, s); err != nil {
		return errors.Join(err, s.Close())
	}
	if again {
		_, err = s.Apply(ctx, op)
	} else {
		err = s.Replace(ctx, r.Changes)
	}
	return errors.Join(err, s.Close())
}

// noteTeam notes in a copy without a server which team the login is in: what is done while the
// server is away is for that one.
func noteTeam(ctx context.Context, p *Replica, server *Server, s *store.Store) error {
	if st, err := stateOf(ctx, s); err != nil || st.Store != "" {
		return err
	}
	var is store.Identity
	err := server.Ask(ctx, p, ReadTime, func(ctx context.Context, there *store.Store) (err error) {
		is, err = there.Identity(ctx)
		return err
	})
	if err != nil || is.Store == "" {
		return err
	}
	return noteIdentity(ctx, s, is)
}

// noteIdentity notes which store and team a copy follows, unless it follows others.
func noteIdentity(ctx context.Context, s *store.Store, is store.Identity) error {
	return updateState(ctx, s, func(_ *store.Store, st *State) error {
		if st.Store == "" || st.Store == is.Store && st.Team == "" {
			st.Store, st.Team = is.Store, is.Team
		}
		return nil
	})
}

// read runs a function on a team's server, after everything in the outbox was sent. If it cannot
// be, the error is an [UnavailableError] or [ErrBehind].
func read(ctx context.Context, p *Replica, server *Server, run func(context.Context, *store.Store) error) error {
	begun := time.Now()
	if err := flush(ctx, p, server, p.Outbox(), ReadTime); err != nil {
		return err
	}
	return server.Ask(ctx, p, ReadTime-time.Since(begun), run)
}
