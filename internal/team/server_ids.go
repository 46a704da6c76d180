package team

import (
	"errors"
	"fmt"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/text"
)

// serverIDs maps ids in the replica to those of the same learnings on the server, for operations in the
// outbox. A learning that is stored while the server is unavailable may exist there in another spelling.
type serverIDs map[string]string

// serverIDsKey is the key under which the replica stores them.
const serverIDsKey = "delivery_names"

// maxServerIDs is how many it stores.
const maxServerIDs = 1000

// names reads the ids from the replica.
func (d *sender) names() (serverIDs, error) {
	known := serverIDs{}
	_, err := d.local.Noted(d.ctx, serverIDsKey, &known)
	return known, err
}

// errOtherSpelling rejects a change to a learning that the server spells otherwise.
var errOtherSpelling = errors.New("the server spells it otherwise")

// of returns the operation with the server's ids. It fails if the operation would change or delete the
// words of someone else, which the user has never seen.
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
		return op, fmt.Errorf("%s of %s: %w, as %s: look at that one, and %s it if that is meant", op.Kind, op.ID, errOtherSpelling, other, op.Kind)
	}
	op.ID = name(op.ID)
	for _, list := range [][]string{op.Recalled, op.Found} {
		for i := range list {
			list[i] = name(list[i])
		}
	}
	return op, nil
}

// rename notes the server's id of a learning if it is another one.
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

// forgetNames deletes the ids. No operation may be left that needs them.
func (d *sender) forgetNames() error {
	known, err := d.names()
	if err != nil || len(known) == 0 {
		return err
	}
	return d.local.Note(d.ctx, serverIDsKey, serverIDs{})
}

// idOf returns the id of a description as it is stored.
func idOf(description string) string { return learning.ID(text.Clean(description)) }
