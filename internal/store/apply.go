package store

import (
	"context"
	"errors"
	"fmt"

	"whence/internal/learning"
)

// Result is what an operation has come to.
type Result struct {
	Outcome  Outcome  // of a learning that is put, or captured and stored; of others the learning alone
	Decision Decision // of one that is captured
	Added    int      // turns
	Imported Imported // what became of learnings that are imported
	Pruned   Pruned   // what has gone of turns
	Changes  []Change // that a copy of the store has to follow, but for those of an import
}

// errNothing is an operation without what it needs.
var errNothing = errors.New("it says nothing of what is to be done")

// Apply does an operation on a store; one that prunes outside of any transaction.
func Apply(ctx context.Context, s *Store, op Operation) (r Result, err error) {
	if op.lacks() {
		return r, fmt.Errorf("operation %s: %w", op.Kind, errNothing)
	}
	o := Observation{At: op.At, Session: op.Session, Revive: op.Revive, Allowed: op.Allowed}
	switch op.Kind {
	case OpPut:
		r.Outcome, err = s.Put(ctx, *op.Learning, o)
		r.follow()
	case OpCapture:
		r.Decision, r.Outcome, err = s.Capture(ctx, *op.Learning, o, op.Policy, op.Approval)
		if r.Stored() {
			r.follow()
		}
	case OpEdit:
		r.Outcome.Learning, err = s.Edit(ctx, op.ID, op.At, func(l *learning.Learning) error {
			op.Edit.apply(l)
			return nil
		})
		if r.Outcome.ID != op.ID {
			r.Changes = append(r.Changes, Deletions(op.ID)...)
		}
		r.follow()
	case OpForget:
		r.Outcome.Learning, err = s.Forget(ctx, op.ID)
		r.Changes = append(r.Changes, Deletions(r.Outcome.ID)...)
	case OpFeedback:
		r.Outcome.Learning, err = s.Say(ctx, op.ID, *op.Feedback)
		r.follow()
	case OpImport:
		r.Imported, err = s.Import(ctx, op.Learnings, op.At)
	case OpCounts:
		err = errors.Join(s.Recalled(ctx, op.Recalled, op.At), s.Found(ctx, op.Found, op.At))
	case OpTurns:
		r.Added, err = s.AddCaptured(ctx, *op.Turns)
	case OpPrune:
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
	case OpPut, OpCapture:
		return op.Learning == nil
	case OpEdit:
		return op.Edit == nil || op.ID == ""
	case OpForget:
		return op.ID == ""
	case OpFeedback:
		return op.Feedback == nil || op.ID == ""
	case OpTurns:
		return op.Turns == nil
	case OpPrune:
		return op.Prune == nil
	}
	return op.Kind != OpImport && op.Kind != OpCounts
}

// Stored tells whether a learning that was captured is in the
func (r Result) Stored() bool { return r.Decision == Stored || r.Decision == Silently }

func (r *Result) follow() {
	r.Changes = append(r.Changes, Change{Learning: r.Outcome.Learning})
}

// Deletions is that there is no learning of an id any more, neither a personal one nor the team's.
func Deletions(id string) []Change {
	return []Change{
		{Learning: learning.Learning{ID: id}, Forgotten: true},
		{Learning: learning.Learning{ID: id, Personal: true}, Forgotten: true},
	}
}
