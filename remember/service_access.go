package remember

import (
	"context"
	"errors"
	"fmt"

	"whence/internal/store"
	"whence/internal/team"
)

// commit applies an operation of this session to the user's own store or to the team's, and then
// runs also on the same store. Delayed explains why the team does not have it yet; it is "" if it
// does, or if there is no team.
func (svc *Service) commit(ctx context.Context, op store.Operation, also team.AlsoFunc) (r store.Result, delayed string, err error) {
	r, why, err := svc.Scope.Apply(ctx, svc.Server, svc.stamp(op), also)
	svc.warnAside()
	if why != nil {
		delayed = "Kept here until " + whenDelivered(why)
	}
	return r, delayed, err
}

// stamp adds the time and the session to an operation.
func (svc *Service) stamp(op store.Operation) store.Operation {
	op.At, op.Session = svc.Now(), svc.Session
	return op
}

// whenDelivered returns when the team's store will have a change that it does not have yet, and why.
func whenDelivered(why error) string {
	var unavailable *team.UnavailableError
	switch {
	case errors.As(why, &unavailable):
		return fmt.Sprintf("the team's store can be reached again (%s).", unavailable.Reason())
	case errors.Is(why, team.ErrBehind):
		return "the team's store has what was done before."
	}
	return "a worker brings it to the team's store."
}

// read runs a function on the store, for reading. The store of a team is the one on its server; if the
// server cannot be used, the caller is warned and the replica is read. Then run is called twice.
func (svc *Service) read(ctx context.Context, run func(context.Context, *store.Store) error) error {
	stale, err := svc.Scope.Read(ctx, svc.Server, run)
	svc.warnStale(ctx, stale)
	return err
}

// ReadLocal runs a function on the store of this machine, a team's replica included, for reading.
// The error is store.ErrNone if there is none.
func (svc *Service) ReadLocal(ctx context.Context, run func(context.Context, *store.Store) error) error {
	s, err := store.OpenReadOnly(ctx, svc.Dir)
	if err != nil {
		return err
	}
	defer s.Close()
	return run(ctx, s)
}

// exceptNone treats a missing store as an empty one.
func exceptNone(err error) error {
	if errors.Is(err, store.ErrNone) {
		return nil
	}
	return err
}

// warnStale warns of operations that were put aside and, unless why is nil, that the replica is read.
func (svc *Service) warnStale(ctx context.Context, why error) {
	svc.warnAside()
	if why != nil {
		svc.warnReplica(ctx, why)
	}
}

// warnReplica warns that the replica is read, and why.
func (svc *Service) warnReplica(ctx context.Context, why error) {
	from := "a copy"
	if st, err := svc.Replica.Status(ctx); err == nil {
		from = st.Since(svc.Now())
	}
	var unavailable *team.UnavailableError
	if errors.As(why, &unavailable) {
		svc.warn(fmt.Sprintf("The team's store %s cannot be reached (%s): this is from %s.", unavailable.Name, unavailable.Reason(), from))
		return
	}
	svc.warn(fmt.Sprintf("The team's store %s does not have your earlier changes yet: this is from %s.", svc.Replica.Name(), from))
}

// warnAside warns once of operations that were put aside, if a user is waiting for the result.
func (svc *Service) warnAside() {
	if svc.Server == nil || svc.asideWarned {
		return
	}
	if text := svc.Replica.SetAsideText(); text != "" {
		svc.asideWarned = true
		svc.warn(text)
	}
}

// warn passes a line to Warn, unless it repeats the last one.
func (svc *Service) warn(line string) {
	if line == "" || svc.Warn == nil || svc.lastWarning == line {
		return
	}
	svc.lastWarning = line
	svc.Warn(line)
}
