package store

import "whence/internal/learning"

// Records are a part of a store as it is, for another store: see [Store.Dump] and [Store.Load].
type Records struct {
	Learnings []Recorded
	Sessions  []Session
}

// Recorded is a learning with its history.
type Recorded struct {
	learning.Learning
	Found    int           // how often a search has found it
	Observed []Observation // times and sessions only
}

// Session is an agent session.
type Session struct {
	ID, Change string
	Turns      []Arrival // in their order
}

// Arrival is a turn that was captured, whether or not it is still stored.
type Arrival struct {
	UUID     string
	Rank     int64  // it comes back only with a higher one
	With     string // UUID of the turn in whose row it is counted, maybe its own; "": it is not stored
	Digest   int64  // of session and text, while it is stored
	Kept     *Turn  // its row, if With is its own UUID
	Personal bool   // only its speaker sees Kept
}

// Scope selects records of a store.
type Scope struct {
	Project    string // learnings of this project, and global ones
	Talk       string // turns of this project, and their sessions
	Everything bool
}

// Size returns the number of learnings and captured turns.
func (r Records) Size() (n int) {
	n = len(r.Learnings)
	for _, session := range r.Sessions {
		n += len(session.Turns)
	}
	return n
}
