package team

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"whence/internal/spool"
	"whence/internal/store"
)

// outbox returns the folder in which operations of a kind wait.
func outbox(p *Replica, kind store.OperationKind) string {
	boxes := outboxesIn(p.Outbox())
	if kind.Unordered() {
		return boxes[1]
	}
	return boxes[0]
}

// outboxesIn returns both outboxes in a folder: the ordered one, which is the folder itself, and that of
// turns and counts.
func outboxesIn(dir string) []string { return []string{dir, filepath.Join(dir, "turns")} }

// orderedSession is the session of all ordered operations, so that the spool keeps their order.
// Unordered ones have none: one that fails holds up no other.
const orderedSession = "outbox"

// Enqueue puts an operation into the outbox, where it stays until the server has done it. All but
// counts are then on the disk.
func (p *Replica) Enqueue(op store.Operation) error {
	text, err := json.Marshal(op.WithKey())
	if err != nil {
		return err
	}
	if err := noteURL(p); err != nil {
		return fmt.Errorf("add to the outbox of the team's store: %w", err)
	}
	session := orderedSession
	if op.Kind.Unordered() {
		session = ""
	}
	add := spool.AddSynced
	if op.Kind == store.OpCounts { // hooks make them, and may lose them
		add = spool.Add
	}
	if err := add(outbox(p, op.Kind), session, text); err != nil {
		return fmt.Errorf("add to the outbox of the team's store: %w", err)
	}
	return nil
}

// hasPending reports whether operations wait in an outbox.
func hasPending(dir string) (bool, error) {
	status, err := spool.StatusOf(dir)
	return status.Waiting > 0, err
}

// Retry puts refused operations back into the outboxes of all replicas of this user, and returns how many.
func Retry(home string) (n int, err error) {
	replicas, err := Replicas(home)
	for _, p := range replicas {
		some, fault := p.retry()
		n, err = n+some, errors.Join(err, fault)
	}
	return n, err
}

// retry is Retry for one replica.
func (p *Replica) retry() (n int, err error) {
	for _, dir := range outboxesIn(p.Outbox()) {
		some, fault := spool.RequeueFailed(dir)
		n, err = n+some, errors.Join(err, fault)
	}
	return n, err
}

// writeHere does an operation on the replica and puts it into the outbox, or does neither. Only if
// committing to the replica fails, as on a full disk, is the operation in the outbox alone: the
// replica gets it back from the server. An operation without effect is not put into the outbox.
func writeHere(ctx context.Context, p *Replica, op store.Operation, also AlsoFunc) (r store.Result, err error) {
	s, err := store.Open(ctx, p.Dir())
	if err != nil {
		return r, err
	}
	added := false
	err = s.Together(ctx, func(tx *store.Store) error {
		if err := ensureInReplica(ctx, tx, op); err != nil {
			return err
		}
		if r, err = tx.Apply(ctx, op); err != nil {
			return err
		}
		if also != nil {
			if err := also(ctx, tx, r); err != nil {
				return err
			}
		}
		if op, wanted := forServer(op, r); wanted {
			if err := p.Enqueue(op); err != nil {
				return err
			}
			added = true
		}
		return nil
	})
	if err = errors.Join(err, s.Close()); added {
		return r, nil
	}
	return r, err
}

// everything is the scope of operations: their ids were looked up in a repository's scope before.
var everything = store.Scope{Everything: true}

// ensureInReplica adds the learning that an operation changes to the replica if it is missing there.
func ensureInReplica(ctx context.Context, replica *store.Store, op store.Operation) error {
	if op.Before == nil {
		return nil
	}
	_, err := replica.Get(ctx, everything, op.Before.ID)
	if !errors.Is(err, store.ErrUnknown) {
		return err
	}
	return replica.Replace(ctx, []store.Change{{Learning: *op.Before}})
}

// forServer returns an operation that was done on the replica as it is sent to the server. Wanted is
// false if it need not be sent. The server does not judge again what the replica has stored.
func forServer(op store.Operation, r store.Result) (_ store.Operation, wanted bool) {
	switch {
	case op.Kind == store.OpCapture && r.Stored():
		op.Kind, op.Revive, op.Policy, op.Approval = store.OpPut, r.Decision == store.Stored, store.Policy{}, store.Unasked
	case op.Kind == store.OpCapture && r.Decision != store.Discarded:
		return op, false
	}
	if op.Learning != nil {
		op.ID = r.Outcome.ID
	}
	return op, true
}
