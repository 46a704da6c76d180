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

// outbox is where an operation waits: those of learnings in their order, and in a folder of
// their own turns and counts, since they keep nothing else waiting.
func outbox(p *Replica, kind store.OperationKind) string {
	if kind.Unordered() {
		return unordered(p)
	}
	return p.Outbox()
}

func unordered(p *Replica) string { return filepath.Join(p.Outbox(), unorderedFolder) }

const unorderedFolder = "turns"

// outboxes are both, first what waits in order.
func outboxes(p *Replica) []string { return []string{p.Outbox(), unordered(p)} }

// orderedSession is the session of all jobs of learnings, so that none overtakes another. Turns
// and counts have none: one that fails holds back no other.
const orderedSession = "outbox"

// Enqueue puts an operation into the outbox. If it returns no error, the operation stays there
// until the server has done it, and all but counts are on the disk: they outlive a loss of power.
func (p *Replica) Enqueue(op store.Operation) error {
	text, err := json.Marshal(op.WithKey())
	if err != nil {
		return err
	}
	if err := noteURL(p); err != nil {
		return fmt.Errorf("keep what the team's store is to be told: %w", err)
	}
	session := orderedSession
	if op.Kind.Unordered() {
		session = ""
	}
	add := spool.AddSynced
	if op.Kind == store.OpCounts { // hooks make them, and no one was promised them
		add = spool.Add
	}
	if err := add(outbox(p, op.Kind), session, text); err != nil {
		return fmt.Errorf("keep what the team's store is to be told: %w", err)
	}
	return nil
}

// hasPending tells whether there is something in an outbox that others must not overtake.
func hasPending(dir string) (bool, error) {
	status, err := spool.Waiting(dir)
	return status.Waiting > 0, err
}

// Retry puts back into the outbox what the server had refused, for all teams of this user.
func Retry(home string) (n int, err error) {
	places, err := Replicas(home)
	for _, p := range places {
		for _, dir := range outboxes(p) {
			some, fault := spool.Retry(dir)
			if n += some; fault != nil {
				err = errors.Join(err, fault)
			}
		}
	}
	return n, err
}

// writeHere does an operation on the copy and puts it into the outbox. If it can do either not, it
// does neither; but where the last write of the copy fails, as on a full disk, the operation is
// in the outbox and counts: the copy has it when the server has. What has changed nothing is
// not delivered.
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

// ensureInReplica brings a learning into the copy that an operation is to change.
func ensureInReplica(ctx context.Context, home *store.Store, op store.Operation) error {
	if op.Before == nil {
		return nil
	}
	_, err := home.Get(ctx, op.Before.ID)
	if !errors.Is(err, store.ErrUnknown) {
		return err
	}
	return home.Replace(ctx, []store.Change{{Learning: *op.Before}})
}

// forServer returns an operation that was done on the replica as the server is to do it, and
// whether it is to do it. What the replica has stored is not judged again.
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
