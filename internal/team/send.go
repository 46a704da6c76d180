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

// sendTime is how long a server may take for one operation when nobody waits.
const sendTime = 2 * time.Minute

// Send brings what is in the outbox to the server, each operation once, and returns how
// many were done. What the server refuses for good is put aside, and the copy follows it. An
// error that is a [spool.ErrNotNow] leaves the rest as it is. Where another process is at it
// there is nothing to do.
func (p *Replica) Send(ctx context.Context, server *Server) (n int, err error) {
	return sendAll(ctx, p, server, sendTime)
}

// sendAll is Deliver with a time for each operation.
func sendAll(ctx context.Context, p *Replica, server *Server, within time.Duration) (n int, err error) {
	for _, dir := range outboxes(p) {
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

// sendFrom brings what is in one outbox to the server. If patient, an operation that is
// interrupted counts as tried; else too little time may be the reason.
func sendFrom(ctx context.Context, p *Replica, server *Server, dir string, within time.Duration, patient bool) (n int, err error) {
	if status, err := spool.Waiting(dir); err != nil || status.Waiting == 0 {
		return 0, err
	}
	home, err := store.Open(ctx, p.Dir())
	if err != nil {
		return 0, err
	}
	d := sender{ctx: ctx, place: p, server: server, copy: home, within: within, patient: patient}
	if err := d.probe(); err != nil {
		return 0, errors.Join(err, home.Close())
	}
	n, err = spool.Drain(ctx, dir, func(_ string, text []byte) error {
		err := d.do(text)
		if err != nil && ctx.Err() != nil { // the caller has gone, which is not the operation's fault
			err = fmt.Errorf("%w: %w", spool.ErrNotNow, err)
		}
		return err
	})
	if errors.Is(err, spool.ErrStuck) { // it goes on, and with it the copy
		return n, err
	}
	if waiting, wrong := hasPending(p.Outbox()); wrong == nil && !waiting {
		err = errors.Join(err, d.forgetNames())
	}
	return n, errors.Join(err, home.Close())
}

// sender is one call of deliver.
type sender struct {
	ctx     context.Context
	place   *Replica
	server  *Server
	copy    *store.Store
	team    string // for which the operations were made; empty: the store has no teams
	within  time.Duration
	patient bool  // see deliver
	stopped error // why no more operations are tried
	missed  bool  // turns are not there that will be tried again
}

// probe asks the server which team the login is in. If it is not the one for which the
// operations were made, they are put aside, and the error says so. If the server cannot be
// asked, nothing can be done now, and the error is a [spool.ErrNotNow].
func (d *sender) probe() error {
	st, err := stateOf(d.ctx, d.copy)
	if err != nil {
		return err
	}
	var is store.Identity
	err = d.ask(func(ctx context.Context, s *store.Store) (err error) {
		is, err = s.Identity(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("%w: %w", spool.ErrNotNow, err)
	}
	if d.team = is.Team; is.Team == st.Team {
		return nil
	}
	if st.Team != "" {
		return setAside(d.place, st, is)
	}
	return noteIdentity(d.ctx, d.copy, is) // from now on they are for this one
}

// errOtherTeam is returned when the login changed its team since the server was probed.
var errOtherTeam = errors.New("the login is in another team now")

// sameTeam returns an error if the login is no longer in the team for which the operations were
// made.
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

// do brings one operation to the server.
func (d *sender) do(text []byte) error {
	var op store.Operation
	if d.stopped != nil {
		return fmt.Errorf("%w: %w", spool.ErrNotNow, d.stopped)
	}
	if err := json.Unmarshal(text, &op); err != nil {
		return fmt.Errorf("%w: read an operation: %w", spool.ErrRefused, err)
	}
	if op.Kind.Idempotent() {
		if op.Kind == store.OpPrune && d.missed { // they would come back
			return fmt.Errorf("%w: %w", spool.ErrNotNow, ErrBehind)
		}
		err := d.ask(func(ctx context.Context, s *store.Store) error {
			if err := d.sameTeam(ctx, s); err != nil {
				return err
			}
			_, err := s.Apply(ctx, op)
			return err
		})
		err = d.verdict(op, err)
		d.missed = d.missed || err != nil && !errors.Is(err, spool.ErrRefused)
		return err
	}
	names, err := d.names()
	if err != nil {
		return err
	}
	if op, err = names.of(op); err != nil {
		return d.verdict(op, err)
	}
	var now []store.Change
	err = d.ask(func(ctx context.Context, s *store.Store) error {
		var r store.Result
		done, err := s.Once(ctx, op.Key, func(tx *store.Store) (err error) {
			if r, err = tx.Apply(ctx, op); err != nil {
				return err
			}
			return d.sameTeam(ctx, tx) // at the end: what was written until here is that team's
		})
		if err != nil {
			return err
		}
		now, err = d.found(ctx, s, op, r, done)
		return err
	})
	if err != nil {
		return d.verdict(op, err)
	}
	if err := d.copy.Replace(d.ctx, now); err != nil {
		return err
	}
	return d.rename(names, op, now)
}

// ask asks the server, which has to answer before who waits for all operations goes.
func (d *sender) ask(run func(context.Context, *store.Store) error) error {
	within := d.within
	if end, ends := d.ctx.Deadline(); ends {
		within = min(within, time.Until(end)-flushGrace)
	}
	return d.server.Ask(d.ctx, d.place, within, run)
}

// verdict is what an error means for an operation.
func (d *sender) verdict(op store.Operation, err error) error {
	switch {
	case err == nil || d.ctx.Err() != nil:
		return err
	case interrupted(err) && d.patient: // it counts as tried, and holds up no other
		d.stopped = err
		return err
	case retryable(err), errors.Is(err, errOtherTeam):
		return fmt.Errorf("%w: %w", spool.ErrNotNow, err)
	case op.Kind.Unordered() && errors.Is(err, store.ErrForbidden): // a reader's stay with the reader
		return nil
	}
	if moved := d.ask(d.sameTeam); moved != nil { // which may be the reason
		return fmt.Errorf("%w: %w", spool.ErrNotNow, moved)
	}
	// The copy has it, and the server does not.
	var now []store.Change
	undo := d.ask(func(ctx context.Context, s *store.Store) (err error) {
		now, err = d.found(ctx, s, op, store.Result{}, false)
		return err
	})
	if retryable(undo) {
		return fmt.Errorf("%w: %w", spool.ErrNotNow, undo)
	}
	if undo == nil {
		undo = d.copy.Replace(d.ctx, now)
	}
	return errors.Join(fmt.Errorf("%w by the team's store: %w", spool.ErrRefused, err), undo)
}

// found is how the server has what an operation is about, by whichever id.
func (d *sender) found(ctx context.Context, s *store.Store, op store.Operation, r store.Result, done bool) (all []store.Change, err error) {
	ids := []string{}
	if op.Learning != nil && !done { // then or never
		id, err := s.Same(ctx, *op.Learning)
		if store.Unusable(err) { // else the server knows none, or refuses the question too
			return nil, err
		}
		ids = append(ids, id)
	}
	for _, c := range r.Changes {
		ids = append(ids, c.ID)
	}
	if op.Kind == store.OpEdit && op.Edit.Description != nil { // the copy has it under the new id
		ids = append(ids, idOf(*op.Edit.Description))
	}
	for _, id := range append(ids, op.ID) {
		if id == "" || slices.ContainsFunc(all, func(c store.Change) bool { return c.ID == id }) {
			continue
		}
		switch d, err := s.Get(ctx, id); {
		case errors.Is(err, store.ErrUnknown) || err == nil && d.ID != id: // a name may look like an id
			all = append(all, store.Deletions(id)...)
		case err != nil:
			return nil, err
		default:
			all = append(all, store.Change{Learning: d.Learning})
		}
	}
	for _, l := range op.Learnings {
		if d, err := s.Get(ctx, idOf(l.Description)); err == nil {
			all = append(all, store.Change{Learning: d.Learning})
		}
	}
	return slices.DeleteFunc(all, func(c store.Change) bool { return op.Kind == store.OpImport && c.Forgotten }), nil
}
