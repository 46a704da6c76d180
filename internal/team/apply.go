package team

import (
	"context"
	"errors"
	"fmt"

	"whence/internal/learning"
	"whence/internal/store"
)

// Result is what an operation has come to.
type Result struct {
	Outcome  store.Outcome  // of a learning that is put, or captured and stored; of others the learning alone
	Decision store.Decision // of one that is captured
	Added    int            // turns
	Imported store.Imported // what became of learnings that are imported
	Pruned   store.Pruned   // what has gone of turns
	Changes  []store.Change // that a copy of the store has to follow, but for those of an import
}

// errNothing is an operation without what it needs.
var errNothing = errors.New("it says nothing of what is to be done")

// Apply does an operation on a store; one that prunes outside of any transaction.
func Apply(ctx context.Context, s *store.Store, op Operation) (r Result, err error) {
	if op.lacks() {
		return r, fmt.Errorf("operation %s: %w", op.Kind, errNothing)
	}
	o := store.Observation{At: op.At, Session: op.Session, Revive: op.Revive, Allowed: op.Allowed}
	switch op.Kind {
	case Put:
		r.Outcome, err = s.Put(ctx, *op.Learning, o)
		r.follow()
	case Capture:
		r.Decision, r.Outcome, err = s.Capture(ctx, *op.Learning, o, op.Policy, op.Approval)
		if r.stored() {
			r.follow()
		}
	case Change:
		r.Outcome.Learning, err = s.Edit(ctx, op.ID, op.At, func(l *learning.Learning) error {
			op.Edit.apply(l)
			return nil
		})
		if r.Outcome.ID != op.ID {
			r.Changes = append(r.Changes, gone(op.ID)...)
		}
		r.follow()
	case Forget:
		r.Outcome.Learning, err = s.Forget(ctx, op.ID)
		r.Changes = append(r.Changes, gone(r.Outcome.ID)...)
	case Feedback:
		r.Outcome.Learning, err = s.Say(ctx, op.ID, *op.Feedback)
		r.follow()
	case Import:
		r.Imported, err = s.Import(ctx, op.Learnings, op.At)
	case Counts:
		err = errors.Join(s.Recalled(ctx, op.Recalled, op.At), s.Found(ctx, op.Found, op.At))
	case Turns:
		r.Added, err = s.AddCaptured(ctx, *op.Turns)
	case Prune:
		r.Pruned, err = s.Prune(ctx, *op.Prune)
	}
	if err != nil {
		return Result{}, err
	}
	return r, nil
}

// lacks tells whether an operation is of no known kind, or has not what that needs.
func (op Operation) lacks() bool {
	switch op.Kind {
	case Put, Capture:
		return op.Learning == nil
	case Change:
		return op.Edit == nil || op.ID == ""
	case Forget:
		return op.ID == ""
	case Feedback:
		return op.Feedback == nil || op.ID == ""
	case Turns:
		return op.Turns == nil
	case Prune:
		return op.Prune == nil
	}
	return op.Kind != Import && op.Kind != Counts
}

// stored tells whether a learning that was captured is in the store.
func (r Result) stored() bool { return r.Decision == store.Stored || r.Decision == store.Silently }

func (r *Result) follow() {
	r.Changes = append(r.Changes, store.Change{Learning: r.Outcome.Learning})
}

// gone is that there is no learning of an id any more, neither a personal one nor the team's.
func gone(id string) []store.Change {
	return []store.Change{
		{Learning: learning.Learning{ID: id}, Forgotten: true},
		{Learning: learning.Learning{ID: id, Personal: true}, Forgotten: true},
	}
}
