package team

import (
	"errors"
	"fmt"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/text"
)

// serverIDs maps ids in the replica to those of the same learnings on the server, for operations in the
// outbox. A learning that is stored while the server is unavailable may exist there in other words.
type serverIDs map[string]string

// serverIDsKey is their key in the replica.
const serverIDsKey = "delivery_names"

// maxServerIDs is how many are kept.
const maxServerIDs = 1000

// names reads the known ids.
func (d *sender) names() (serverIDs, error) {
	known := serverIDs{}
	_, err := d.local.Noted(d.ctx, serverIDsKey, &known)
	return known, err
}

// errOtherWords reports a change of a learning that the server has in other words.
var errOtherWords = errors.New("the server has it in other words")

// of returns the operation with the ids of the server. It fails if it would change or delete what
// others have written, which the user has never seen.
func (n serverIDs) of(op store.Operation) (store.Operation, error) {
	if op.Learning != nil { // it has the id of the replica
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

// rename notes the id under which the server has a learning, if it differs.
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
		return d.local.Note(d.ctx, serverIDsKey, known)
	}
	return nil
}

// forgetNames drops the ids when no operation is left to use them.
func (d *sender) forgetNames() error {
	known, err := d.names()
	if err != nil || len(known) == 0 {
		return err
	}
	return d.local.Note(d.ctx, serverIDsKey, serverIDs{})
}

// idOf returns the id of a description as it is stored.
func idOf(description string) string { return learning.ID(text.Clean(description)) }
