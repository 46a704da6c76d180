package team

import (
	"errors"
	"fmt"

	"whence/internal/learning"
	"whence/internal/store"
)

// A learning that is stored while the server is away may be known there in other words, and
// so under another id. What was said of it here meanwhile is meant for that one; but nobody
// here has seen that one, to say that it is to go or to change.

// serverIDs are the ids on the server of learnings that have others in operations that wait.
type serverIDs map[string]string

// serverIDsKey is under what key they are kept in the copy.
const serverIDsKey = "delivery_names"

// maxServerIDs is how many are kept.
const maxServerIDs = 1000

// names are those that are known.
func (d *sender) names() (serverIDs, error) {
	known := serverIDs{}
	_, err := d.copy.Noted(d.ctx, serverIDsKey, &known)
	return known, err
}

// errOtherWords is a change of a learning that the server knows in other words.
var errOtherWords = errors.New("it is known there in other words")

// of is an operation by the ids of the server. One that would change, or delete, what others
// have written is an error.
func (n serverIDs) of(op store.Operation) (store.Operation, error) {
	if op.Learning != nil { // its id is that of the copy
		return op, nil
	}
	name := func(id string) string {
		if other := n[id]; other != "" {
			return other
		}
		return id
	}
	if other := name(op.ID); other != op.ID && (op.Kind == store.OpForget || op.Kind == store.OpEdit) {
		return op, fmt.Errorf("%s of %s: %w, as %s: look at that one, and %s it if that is meant", op.Kind, op.ID, errOtherWords, other, op.Kind)
	}
	op.ID = name(op.ID)
	for _, list := range [][]string{op.Recalled, op.Found} {
		for i := range list {
			list[i] = name(list[i])
		}
	}
	return op, nil
}

// rename notes under which id the server has a learning that was put there, if it is another.
func (d *sender) rename(known serverIDs, op store.Operation, now []store.Change) error {
	if op.Learning == nil || op.ID == "" {
		return nil
	}
	for _, c := range now {
		if c.Forgotten || c.ID == op.ID || known[op.ID] == c.ID {
			continue
		}
		if len(known) >= maxServerIDs {
			clear(known)
		}
		known[op.ID] = c.ID
		return d.copy.Note(d.ctx, serverIDsKey, known)
	}
	return nil
}

// forgetNames drops them: nothing waits that could mean one.
func (d *sender) forgetNames() error {
	known, err := d.names()
	if err != nil || len(known) == 0 {
		return err
	}
	return d.copy.Note(d.ctx, serverIDsKey, serverIDs{})
}

// idOf is the id of a description as it is stored.
func idOf(description string) string { return learning.ID(learning.Clean(description)) }
