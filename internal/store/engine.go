package store

import (
	"context"
	"errors"
)

// Engine holds what differs between databases.
//
// SQLite and PostgreSQL both understand the statements of this package, which number their
// arguments: $1, $2. Where the two differ, a statement contains a fragment that the engine returns.
type Engine interface {
	// AnyOf returns the condition that a value is in the list that is argument n.
	AnyOf(n int) string
	// List returns a []int64 or []string as an argument for AnyOf.
	List(values any) any
	// Values returns the rows after VALUES, with all arguments in order.
	Values(rows, columns int) string
	// OnConflict returns the start of an upsert clause for the key column of a table.
	OnConflict(key string) string
	// LowerName returns an expression for the name of a learning in lower case, which has an
	// index. Its table is entries as e.
	LowerName() string
	// Lock takes a lock until the end of the transaction.
	Lock(ctx context.Context, tx Conn, lock Lock) error
	// Retryable reports whether running the transaction again may succeed.
	Retryable(err error) bool
	// Own returns the condition that a row of turns or transcripts belongs to this login.
	Own() string
	// Identity returns the store's identity and the login.
	Identity(ctx context.Context, c Conn) (Identity, error)
	// NextRevision returns an expression for a revision after all others.
	NextRevision() string

	// Words returns the rows of a table that hold each word, by stem, and the table's size.
	Words(ctx context.Context, c Conn, table Table, asked []Word) (map[string]Holders, Size, error)
	// Best returns a function that ranks rows by BM25 and returns the best, at most so many or all
	// for 0; of equal ones the older comes first. Calls of it share what does not depend on the number.
	Best(ctx context.Context, c Conn, m Match) (best func(most int) ([]Row, error), err error)
	// Index stores the words of rows.
	Index(ctx context.Context, tx Conn, table Table, rows []Text) error
	// Compact removes all traces of deleted rows of a table from its full-text index, makes searches
	// as fast as they can be, and frees disk space. c is the connection of the store.
	Compact(ctx context.Context, s *Store, c Conn, table Table) error

	// Unembedded returns the condition that a learning, of entries as e, has no embedding of
	// the model that is argument 1.
	Unembedded(ctx context.Context, tx Conn, model string) (condition string, err error)
	// Embed stores the embedding of a learning, unless the store uses another model by now.
	Embed(ctx context.Context, tx Conn, seq int64, model string, vector []float32) error
	// Unembed returns the statement that deletes the embeddings of learning $1.
	Unembed() string
	// Nearest returns what [Store.Nearest] does.
	Nearest(ctx context.Context, c Conn, model string, vector []float32, q Query) (ids []string, err error)

	// Check describes the database: facts, among them engine and schema, and faults, each
	// with its remedy.
	Check(ctx context.Context, c Conn) (facts []Fact, faults []string, err error)
	// Explain adds the location of the database and a remedy to its error. An error that
	// every request would meet is an [ErrUnusable].
	Explain(err error) error
}

// Identity identifies a store and the login that uses it. A store in a file has neither.
type Identity struct {
	Store       string // unique id
	Team, Login string
	Revision    int64 // of the last change
}

// ErrUnusable reports that the database cannot be used at all now.
var ErrUnusable = errors.New("the store cannot be used")

// ErrInterrupted is returned, beside [ErrUnusable], when the database gave up one transaction
// because of others or because it took too long. It may happen to the same transaction again.
var ErrInterrupted = errors.New("the transaction was interrupted")

// Lock is a lock that a transaction takes: it keeps others from writing the same rows.
type Lock int

// The locks.
const (
	NoLock        Lock = iota // counts of learnings, and notes
	LearningsLock             // the learnings of a team
	TurnsLock                 // the turns and sessions of a login
)

// Word is a word of a question.
type Word struct {
	Text, Stem string
	Rarity     float64 // inverse document frequency, for [Engine.Best]
	Rows       int     // of the table that have it
	Newest     []int64 // as in [Holders]
}

// Holders are the rows that hold a word.
type Holders struct {
	Rows   float64 // how many they are
	Newest []int64 // their seq, the newest first, if the engine has listed them
}

// Size is the size of a full-text index.
type Size struct {
	Rows  int     // at least the number of rows: deleted ones may count
	Words float64 // of an average row; 0 if the database does not tell
}

// Match is a query of a full-text index.
type Match struct {
	Table Table
	Size  Size
	Find  []Word // a row must hold one of these
	Words []Word // these rank it; a repeated one counts as often
	Rows  int    // of these, more may be left out: the older

	// Possible, if not nil, reports whether a row without some words of the question, by stem, may be
	// an answer. Best may rule out other rows, or leave them out.
	Question []Word
	Possible func(missing []string) bool

	// Best may leave out rows of other projects.
	Project    string
	Everywhere bool
}

// Row is a found row with its score: higher is better.
type Row struct {
	Seq      int64
	Score    float64
	RuledOut bool // it cannot be an answer: see [Match.Possible]
}
