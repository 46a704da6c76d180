package delivery

import (
	"whence/internal/learning"
	"whence/internal/store"
)

// A learning that is stored while the server is away may be known there in other words, and
// so under another id. What was said of it here meanwhile is meant for that one.

// names are the ids on the server of learnings that have others in operations that wait.
type names map[string]string

// noteNames is under what key they are kept in the copy.
const noteNames = "delivery_names"

// mostNames is how many are kept.
const mostNames = 1000

// names are those that are known.
func (d *delivery) names() (names, error) {
	known := names{}
	_, err := d.copy.Noted(d.ctx, noteNames, &known)
	return known, err
}

// of is an operation by the ids of the server.
func (n names) of(op Operation) Operation {
	if op.Learning != nil { // its id is that of the copy
		return op
	}
	name := func(id string) string {
		if other := n[id]; other != "" {
			return other
		}
		return id
	}
	op.ID = name(op.ID)
	for _, list := range [][]string{op.Recalled, op.Found} {
		for i := range list {
			list[i] = name(list[i])
		}
	}
	return op
}

// rename notes under which id the server has a learning that was put there, if it is another.
func (d *delivery) rename(known names, op Operation, now []store.Change) error {
	if op.Learning == nil || op.ID == "" {
		return nil
	}
	for _, c := range now {
		if c.Forgotten || c.ID == op.ID || known[op.ID] == c.ID {
			continue
		}
		if len(known) >= mostNames {
			clear(known)
		}
		known[op.ID] = c.ID
		return d.copy.Note(d.ctx, noteNames, known)
	}
	return nil
}

// forgetNames drops them: nothing waits that could mean one.
func (d *delivery) forgetNames() error {
	known, err := d.names()
	if err != nil || len(known) == 0 {
		return err
	}
	return d.copy.Note(d.ctx, noteNames, names{})
}

// idOf is the id of a description as it is stored.
func idOf(description string) string { return learning.ID(learning.Clean(description)) }
