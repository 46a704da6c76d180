package store

import (
	"context"
	"errors"
	"fmt"

	"whence/internal/learning"
)

// Result is the result of an operation.
type Result struct {
	Outcome  Outcome  // of put, and of a capture that stored; of other kinds only the learning
	Decision Decision // of capture
	Added    int      // turns
	Imported Imported
	Pruned   Pruned
	Changes  []Change // for a replica to make, except those of an import
}

var errIncomplete = errors.New("fields are missing, or its kind is unknown")

// Apply runs an operation. Pruning must not run in a transaction.
func (s *Store) Apply(ctx context.Context, op Operation) (r Result, err error) {
	if op.incomplete() {
		return r, fmt.Errorf("operation %q: %w", op.Kind, errIncomplete)
	}
	o := Observation{At: op.At, Session: op.Session, Revive: op.Revive, Allowed: op.Allowed}
	switch op.Kind {
	case OpPut:
		r.Outcome, err = s.Put(ctx, *op.Learning, o)
		r.addChange()
	case OpCapture:
		r.Decision, r.Outcome, err = s.Capture(ctx, *op.Learning, o, op.Policy, op.Approval)
		if r.Stored() {
			r.addChange()
		}
	case OpEdit:
		r.Outcome.Learning, err = s.Edit(ctx, op.ID, op.At, func(l *learning.Learning) error {
			op.Edit.apply(l)
			return nil
		})
		if r.Outcome.ID != op.ID {
			r.Changes = append(r.Changes, Deletions(op.ID)...)
		}
		r.addChange()
	case OpForget:
		r.Outcome.Learning, err = s.Forget(ctx, op.ID)
		r.Changes = append(r.Changes, Deletions(r.Outcome.ID)...)
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

// incomplete reports whether the kind is unknown or a field that it needs is missing.
func (op Operation) incomplete() bool {
	switch op.Kind {
	case OpPut, OpCapture:
		return op.Learning == nil
	case OpEdit:
		return op.Edit == nil || op.ID == ""
	case OpForget:
		return op.ID == ""
	case OpTurns:
		return op.Turns == nil
	case OpPrune:
		return op.Prune == nil
	}
	return op.Kind != OpImport && op.Kind != OpCounts
}

// Stored reports whether a captured learning was stored.
func (r Result) Stored() bool { return r.Decision == Stored || r.Decision == Silently }

func (r *Result) addChange() {
	r.Changes = append(r.Changes, Change{Learning: r.Outcome.Learning})
}

// Deletions returns the changes that delete a learning from a replica, the team's and a personal one.
func Deletions(id string) []Change {
	return []Change{
		{Learning: learning.Learning{ID: id}, Forgotten: true},
		{Learning: learning.Learning{ID: id, Personal: true}, Forgotten: true},
	}
}
