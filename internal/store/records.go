package store

import (
	"time"

	"whence/internal/learning"
)

// Records are a piece of what a store holds, as it is, for another store: see [Store.Dump]
// and [Store.Load].
type Records struct {
	Learnings []Recorded
	Links     []Link
	Sessions  []Session
}

// Recorded is a learning with all that is known of it.
type Recorded struct {
	learning.Learning
	Found    int           // how often a search has found it
	Observed []Observation // Revive does not count
	Said     []Feedback
}

// Link says that a learning contradicts another one.
type Link struct {
	Of, Contradicts Ref
	At              time.Time
}

// Ref names a learning in any store: there it may be known in words that fold to the same.
type Ref struct{ ID, Folded string }

// Session is the state of an agent session.
type Session struct {
	ID, Change string
	Turns      []Arrival // in their order
}

// Arrival is a turn that came, whether it is kept or not.
type Arrival struct {
	UUID   string
	Rank   int64  // it comes back only with a higher one
	With   string // UUID of the turn with which it is counted, its own where it is that; "": it is kept nowhere
	Digest int64  // of session and text, while it is kept
	Kept   *Turn  // where With is its own
	// Personal is whether Kept is for its speaker alone.
	Personal bool
}

// Scope says what of a store is meant.
type Scope struct {
	Project    string // learnings of this project, and the global ones
	Talk       string // sessions with turns that belong to this, and these turns of them
	Everything bool   // all
}

// Size is how many records there are, as progress counts them: learnings, and turns that
// came.
func (r Records) Size() (n int) {
	n = len(r.Learnings)
	for _, session := range r.Sessions {
		n += len(session.Turns)
	}
	return n
}
