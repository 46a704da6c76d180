package team

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"whence/internal/spool"
	"whence/internal/store"
)

// sendTime is how long a server may take for one operation that no command waits for.
const sendTime = 2 * time.Minute

// Send sends the outbox to the server, each operation once, and returns how many were done. An operation
// that the server refuses for good is moved aside, and the replica follows the server. After an error
// that is a [spool.ErrNotNow], the others stay. If another process is sending, Send does nothing.
func (p *Replica) Send(ctx context.Context, server *Server) (n int, err error) {
	return sendAll(ctx, p, server, sendTime)
}

// sendAll is Send with a time limit for each operation.
func sendAll(ctx context.Context, p *Replica, server *Server, within time.Duration) (n int, err error) {
	for _, dir := range outboxesIn(p.Outbox()) {
		some, fault := sendFrom(ctx, p, server, dir, within, true)
		n += some
		if errors.Is(fault, spool.ErrBusy) {
			fault = nil
		}
		if err = errors.Join(err, fault); errors.Is(err, spool.ErrNotNow) || retryable(err) || ctx.Err() != nil {
			break
		}
	}
	return n, err
}

// sendFrom sends one outbox. If patient is set, an interrupted operation counts as tried; if not, the time
// may have been too short for it.
func sendFrom(ctx context.Context, p *Replica, server *Server, dir string, within time.Duration, patient bool) (n int, err error) {
	if status, err := spool.StatusOf(dir); err != nil || status.Waiting == 0 {
		return 0, err
	}
	local, err := store.Open(ctx, p.Dir())
	if err != nil {
		return 0, err
	}
	d := sender{ctx: ctx, replica: p, server: server, local: local, within: within, patient: patient}
	if err := d.checkTeam(); err != nil {
		return 0, errors.Join(err, local.Close())
	}
	n, err = spool.Drain(ctx, dir, func(_ string, text []byte) error {
		err := d.send(text)
		if err != nil && ctx.Err() != nil { // not the operation's fault
			err = fmt.Errorf("%w: %w", spool.ErrNotNow, err)
		}
		return err
	})
	if errors.Is(err, spool.ErrStuck) { // it still runs, and uses the replica
		return n, err
	}
	if waiting, wrong := hasPending(p.Outbox()); wrong == nil && !waiting {
		err = errors.Join(err, d.forgetNames())
	}
	return n, errors.Join(err, local.Close())
}

// operationVersion is the version of [store.Operation]. It changes with what a server must do for one;
// operations then name it, see [spool.CheckVersion].
const operationVersion = 1

// sender is one call of sendFrom.
type sender struct {
	ctx          context.Context
	replica      *Replica
	server       *Server
	local        *store.Store // of the replica
	team         string       // for which the operations were made; empty: the store has no teams
	within       time.Duration
	patient      bool  // see sendFrom
	interruption error // why the remaining operations are not tried
	turnsMissed  bool  // turns will be tried again
}

// checkTeam asks the server which team the login is in. If the operations were made for another team,
// checkTeam sets them aside and returns an error that says so. If the server does not answer, the error is
// a [spool.ErrNotNow].
func (d *sender) checkTeam() error {
	st, err := stateOf(d.ctx, d.local)
	if err != nil {
		return err
	}
	is, err := d.server.identity(d.ctx, d.replica, d.limit())
	if err != nil {
		return fmt.Errorf("%w: %w", spool.ErrNotNow, err)
	}
	if d.team = is.Team; is.Team == st.Team {
		return nil
	}
	if st.Team != "" {
		return setAside(d.replica, st, is)
	}
	return noteIdentity(d.ctx, d.local, is) // the operations are for this team
}

// errOtherTeam reports that the login has changed its team since checkTeam.
var errOtherTeam = errors.New("the login is in another team now")

// sameTeam returns an error if the login is no longer in the team of the operations.
func (d *sender) sameTeam(ctx context.Context, s *store.Store) error {
	if d.team == "" {
		return nil
	}
	is, err := s.Identity(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", errOtherTeam, err)
	case is.Team != d.team:
		return errOtherTeam
	}
	return nil
}

// send sends one operation.
func (d *sender) send(text []byte) error {
	var op store.Operation
	if d.interruption != nil {
		return fmt.Errorf("%w: %w", spool.ErrNotNow, d.interruption)
	}
	if err := spool.CheckVersion(text, operationVersion); errors.Is(err, spool.ErrNewer) {
		d.turnsMissed = true // it may have some
		return err
	}
	if err := json.Unmarshal(text, &op); err != nil {
		return fmt.Errorf("%w: read an operation: %w", spool.ErrRefused, err)
	}
	if op.Kind.Idempotent() {
		if op.Kind == store.OpPrune && d.turnsMissed { // the turns would come back
			return fmt.Errorf("%w: %w", spool.ErrNotNow, ErrBehind)
		}
		err := d.ask(func(ctx context.Context, s *store.Store) error {
			if err := d.sameTeam(ctx, s); err != nil {
				return err
			}
			_, err := s.Apply(ctx, op)
			return err
		})
		err = d.classify(op, err)
		d.turnsMissed = d.turnsMissed || err != nil && !errors.Is(err, spool.ErrRefused)
		return err
	}
	names, err := d.names()
	if err != nil {
		return err
	}
	if op, err = names.of(op); err != nil {
		return d.classify(op, err)
	}
	var now []store.Change
	err = d.ask(func(ctx context.Context, s *store.Store) error {
		var r store.Result
		done, err := s.Once(ctx, op.Key, func(tx *store.Store) (err error) {
			if r, err = tx.Apply(ctx, op); err != nil {
				return err
			}
			return d.sameTeam(ctx, tx) // last: all that was written belongs to that team
		})
		if err != nil {
			return err
		}
		now, err = d.onServer(ctx, s, op, r, done)
		return err
	})
	if err != nil {
		return d.classify(op, err)
	}
	if err := d.local.Replace(d.ctx, now); err != nil {
		return err
	}
	return d.rename(names, op, now)
}

func (d *sender) ask(run func(context.Context, *store.Store) error) error {
	return d.server.Ask(d.ctx, d.replica, d.limit(), run)
}

// limit returns how long the server may take: it ends before the deadline of the whole call.
func (d *sender) limit() time.Duration {
	if end, ends := d.ctx.Deadline(); ends {
		return min(d.within, time.Until(end)-flushGrace)
	}
	return d.within
}

// classify turns an error of the server into one for the spool.
func (d *sender) classify(op store.Operation, err error) error {
	switch {
	case err == nil || d.ctx.Err() != nil:
		return err
	case interrupted(err) && d.patient: // counts as tried, and holds up no other
		d.interruption = err
		return err
	case retryable(err), errors.Is(err, errOtherTeam):
		return fmt.Errorf("%w: %w", spool.ErrNotNow, err)
	case op.Kind.Unordered() && errors.Is(err, store.ErrForbidden): // readers keep theirs
		return nil
	}
	if moved := d.ask(d.sameTeam); moved != nil { // may be the reason
		return fmt.Errorf("%w: %w", spool.ErrNotNow, moved)
	}
	// Undo it in the replica.
	var now []store.Change
	undo := d.ask(func(ctx context.Context, s *store.Store) (err error) {
		now, err = d.onServer(ctx, s, op, store.Result{}, false)
		return err
	})
	if retryable(undo) {
		return fmt.Errorf("%w: %w", spool.ErrNotNow, undo)
	}
	if undo == nil {
		undo = d.local.Replace(d.ctx, now)
	}
	return errors.Join(fmt.Errorf("%w by the team's store: %w", spool.ErrRefused, err), undo)
}

// onServer returns how the server has the learnings of an operation, under all ids that they may have.
// Done reports whether the server did the operation in this call.
func (d *sender) onServer(ctx context.Context, s *store.Store, op store.Operation, r store.Result, done bool) (all []store.Change, err error) {
	ids := []string{}
	if op.Learning != nil && !done { // the key was unknown
		id, err := s.Same(ctx, *op.Learning)
		if store.Unusable(err) { // otherwise it has none, or refuses this too
			return nil, err
		}
		ids = append(ids, id)
	}
	for _, c := range r.Changes {
		ids = append(ids, c.ID)
	}
	if op.Kind == store.OpEdit && op.Edit.Description != nil { // the replica has it under the new id
		ids = append(ids, idOf(*op.Edit.Description))
	}
	for _, id := range append(ids, op.ID) {
		if id == "" || slices.ContainsFunc(all, func(c store.Change) bool { return c.ID == id }) {
			continue
		}
		switch d, err := s.Get(ctx, everything, id); {
		case errors.Is(err, store.ErrUnknown) || err == nil && d.ID != id: // a name may look like an id
			all = append(all, store.Deletions(id)...)
		case err != nil:
			return nil, err
		default:
			all = append(all, store.Change{Learning: d.Learning})
		}
	}
	for _, l := range op.Learnings {
		if d, err := s.Get(ctx, everything, idOf(l.Description)); err == nil {
			all = append(all, store.Change{Learning: d.Learning})
		}
	}
	return slices.DeleteFunc(all, func(c store.Change) bool { return op.Kind == store.OpImport && c.Forgotten }), nil
}
