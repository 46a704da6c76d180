package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Engine is the database below a store, where databases differ. What a learning or a turn
// is, and what becomes of it, is the same in all of them.
//
// The statements of this package are those that SQLite and PostgreSQL both understand, with
// arguments as ? or ?1. Where the two differ, a statement is put together with what the engine
// returns; no engine rewrites one.
type Engine interface {
	// AnyOf is the condition that a value is in a list, the n-th argument, as List makes it of
	// a []int64 or []string. All statements number their arguments: $1, $2.
	AnyOf(n int) string
	List(values any) any
	// Values is the VALUES of an INSERT of some rows, with all arguments in order.
	Values(rows, columns int) string
	// OnConflict begins the clause of an INSERT for a row that exists, by the column that is its key.
	OnConflict(key string) string
	// LowerName is the name of a learning, of the table entries as e, in lower case, as its index has it.
	LowerName() string
	// Lock keeps others from writing the same until the end of a transaction.
	Lock(ctx context.Context, tx Conn, what Writing) error
	// Retryable reports whether running the transaction again may succeed.
	Retryable(err error) bool
	// Own is a condition on rows of turns and transcripts: they belong to this login.
	Own() string
	// Identity returns the store's identity and the login.
	Identity(ctx context.Context, c Conn) (Identity, error)
	// NextRevision is an expression: the number of a change that is later than all others.
	NextRevision() string

	// Words returns the number of rows of a table that hold each word, by stem, and the
	// table's size.
	Words(ctx context.Context, c Conn, table Table, asked []Word) (map[string]float64, Size, error)
	// Best ranks rows by BM25, best first, of equal ones the older first.
	Best(ctx context.Context, c Conn, m Match) ([]Row, error)
	// Index stores the words of rows.
	Index(ctx context.Context, tx Conn, table Table, rows []Text) error
	// Compact has nothing left of the words of turns that were deleted, and gives room back.
	Compact(ctx context.Context, s *Store) error

	Vectors

	// Bytes is the size of the database on its disk.
	Bytes(ctx context.Context, c Conn) (int64, error)
	// Check tells what database it is, and what is wrong with it: facts, among them engine
	// and schema, and faults, each with what to do about it.
	Check(ctx context.Context, c Conn) (facts []Fact, faults []string, err error)
	// Explain adds to an error of the database where it was, and what to do about it. One
	// that every request would meet is an [ErrUnusable].
	Explain(err error) error
}

// Vectors are the embeddings of learnings.
type Vectors interface {
	// Unembedded are Columns of learnings without an embedding of a model, the newest
	// first.
	Unembedded(ctx context.Context, tx Conn, model string, most int) (*sql.Rows, error)
	// Embed stores the embedding of a learning, unless the model is another by now.
	Embed(ctx context.Context, tx Conn, seq int64, model string, vector []float32) error
	// Unembed drops those of a learning.
	Unembed(ctx context.Context, tx Conn, seq int64) error
	// Embeddings counts the learnings that apply and have one.
	Embeddings(ctx context.Context, c Conn) (n int, err error)
	// Nearest are the learnings whose embeddings are most like a vector, as for
	// [Store.Nearest].
	Nearest(ctx context.Context, c Conn, model string, vector []float32, q Query) (ids []string, err error)
}

// Identity identifies a store and the login that uses it. A store in a file has neither.
type Identity struct {
	Store       string // an id that no other store has, whatever its name
	Team, Login string
	Revision    int64 // of the last change by anybody
}

// ErrUnusable reports that the database cannot be used at all now.
var ErrUnusable = errors.New("the store cannot be used")

// ErrInterrupted is returned, beside [ErrUnusable], when the database gave up one transaction:
// others were in its way, or it took too long. The same may happen to it again, and not to others.
var ErrInterrupted = errors.New("the transaction was interrupted")

// Writing is the kind of rows that a transaction writes.
type Writing int

// Only one transaction at a time writes rows of one kind.
const (
	Counts    Writing = iota // of learnings, or notes of one's own
	Learnings                // of a team
	Turns                    // of one speaker, and the speaker's sessions
)

// Word is a word of a question.
type Word struct {
	Text, Stem string
	Rarity     float64 // as BM25 has it, for [Engine.Best]
}

// Size is the size of a full-text index.
type Size struct {
	Rows  int     // or more, where some have been deleted
	Words float64 // of a row, on average; 0 where the database keeps that to itself
}

// Match is a question to a full-text index: the rows that hold one of the words, ranked by
// all of them.
type Match struct {
	Table Table
	Size  Size
	Find  []Word // a row must hold one of these
	Words []Word // these rank it, repeated ones as often as they are here; nil: Find
	Most  int    // 0: all
}

// Row is a row that was found, with its score: higher is better.
type Row struct {
	Seq   int64
	Score float64
}

// Conn runs statements of this package in a database, or in one transaction of it.
type Conn struct {
	run    runner
	engine Engine
	late   *[]int64 // learnings of a transaction whose words are not indexed yet
}

// runner is a *sql.DB or a *sql.Tx.
type runner interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

// ExecContext works as on a [sql.Tx].
func (c Conn) ExecContext(ctx context.Context, statement string, arguments ...any) (sql.Result, error) {
	return c.run.ExecContext(ctx, statement, arguments...)
}

// QueryContext works as on a [sql.Tx].
func (c Conn) QueryContext(ctx context.Context, query string, arguments ...any) (*sql.Rows, error) {
	return c.run.QueryContext(ctx, query, arguments...)
}

// QueryRowContext works as on a [sql.Tx].
func (c Conn) QueryRowContext(ctx context.Context, query string, arguments ...any) *sql.Row {
	return c.run.QueryRowContext(ctx, query, arguments...)
}

// Store is an open database. It may be used by several goroutines.
type Store struct {
	db     *sql.DB // nil: it is one transaction
	conn   Conn
	engine Engine
}

// New is the store of a database that is open, with its schema.
func New(db *sql.DB, engine Engine) *Store {
	return &Store{db: db, conn: Conn{run: db, engine: engine}, engine: engine}
}

// Close closes the store. What was acknowledged before is on the disk after it.
func (s *Store) Close() error { return s.db.Close() }

// Identity returns the identity of the store and the login.
func (s *Store) Identity(ctx context.Context) (Identity, error) {
	is, err := s.engine.Identity(ctx, s.conn)
	if err != nil {
		return is, fmt.Errorf("ask which store it is: %w", s.explained(err))
	}
	return is, nil
}

// explained adds to an error of the database where it was, and what to do about it.
func (s *Store) explained(err error) error {
	if err == nil {
		return nil
	}
	return s.engine.Explain(err)
}

// write runs a transaction, all of it or nothing. No other that writes the same comes
// between. It may run more than once.
func (s *Store) write(ctx context.Context, what Writing, run func(Conn) error) error {
	if s.db == nil {
		if err := s.engine.Lock(ctx, s.conn, what); err != nil {
			return err
		}
		return run(s.conn)
	}
	for attempt := 1; ; attempt++ {
		err := s.try(ctx, what, run)
		if err == nil || !s.engine.Retryable(err) || attempt == attempts {
			return s.explained(err)
		}
	}
}

// attempts is how often a transaction runs that others get in the way of.
const attempts = 10

func (s *Store) try(ctx context.Context, what Writing, run func(Conn) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	c := Conn{tx, s.engine, new([]int64)}
	if err = s.engine.Lock(ctx, c, what); err == nil {
		err = run(c)
	}
	if err == nil {
		err = c.indexLate(ctx)
	}
	if err != nil {
		_ = tx.Rollback() // the first error tells more
		return err
	}
	return tx.Commit()
}

// Once runs changes of a store in one transaction, unless it has run under the same key
// before; done is whether it ran now. What run returns is the error, and then nothing has
// changed. The store that run gets must not be closed, nor used for [Store.Prune].
func (s *Store) Once(ctx context.Context, key string, run func(*Store) error) (done bool, err error) {
	err = s.write(ctx, Learnings, func(tx Conn) error {
		done = false
		result, err := tx.ExecContext(ctx, `INSERT INTO delivered (key, at) VALUES ($1, $2) ON CONFLICT DO NOTHING`, key, timeText(moment(time.Time{})))
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return err
		}
		done = true
		return run(&Store{conn: tx, engine: s.engine})
	})
	return done && err == nil, err
}

// Together runs changes of a store in one transaction, as Once does.
func (s *Store) Together(ctx context.Context, run func(*Store) error) error {
	return s.write(ctx, Learnings, func(tx Conn) error { return run(&Store{conn: tx, engine: s.engine}) })
}

// ForgetDelivered deletes the keys of [Store.Once] from before a time, and returns how many.
// What comes again under one of these runs again.
func (s *Store) ForgetDelivered(ctx context.Context, before time.Time) (n int, err error) {
	err = s.write(ctx, Counts, func(tx Conn) error {
		result, err := tx.ExecContext(ctx, `DELETE FROM delivered WHERE at < $1`, timeText(before))
		if err != nil {
			return err
		}
		deleted, err := result.RowsAffected()
		n = int(deleted)
		return err
	})
	return n, err
}
