package team

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"whence/internal/spool"
	"whence/internal/store"
)

// State is how far a copy has followed its server, as it is kept in the copy.
type State struct {
	At      time.Time        `json:"at"`              // when it was like the server last; zero: never
	Tried   time.Time        `json:"tried"`           // when that was tried last
	Error   string           `json:"error,omitempty"` // why it was in vain; "": it was not
	Store   string           `json:"store,omitempty"` // the id of the store that it follows
	Team    string           `json:"team,omitempty"`  // whose memory that is
	Cursors map[string]int64 `json:"cursors"`         // by repository that was seen on this machine: up to which revision
	Cleaned string           `json:"cleaned"`         // the day on which the server was last asked to delete what is old
	Days    map[string]int   `json:"days,omitempty"`  // by project: how long its turns are kept, as the server is to be told then
}

// stateKey is under what key it is kept.
const stateKey = "delivery"

// stateOf reads the state of a replica.
func stateOf(ctx context.Context, s *store.Store) (st State, err error) {
	_, err = s.Noted(ctx, stateKey, &st)
	return st, err
}

// Status is how a copy stands to its server.
type Status struct {
	State
	Waiting  int        // operations that the server is still to be told
	Oldest   time.Time  // when the first of these was done
	Refused  int        // operations that it has refused
	Reason   string     // why it has the last of these
	SetAside []SetAside // outboxes that were made for other teams
}

// StatusOf looks at the copy and the outbox, and asks nobody.
func (p *Replica) Status(ctx context.Context) (st Status, err error) {
	for _, dir := range outboxes(p) {
		waiting, err := spool.Waiting(dir)
		if err != nil {
			return st, err
		}
		st.Waiting, st.Refused = st.Waiting+waiting.Waiting, st.Refused+waiting.Failed
		if st.Oldest.IsZero() || !waiting.Oldest.IsZero() && waiting.Oldest.Before(st.Oldest) {
			st.Oldest = waiting.Oldest
		}
		if st.Reason == "" {
			st.Reason = waiting.Reason
		}
	}
	if st.SetAside, err = setAsideOutboxes(p); err != nil {
		return st, err
	}
	s, err := store.OpenReadOnly(ctx, p.Dir())
	if errors.Is(err, store.ErrNone) {
		return st, nil
	}
	if err != nil {
		return st, err
	}
	st.State, err = stateOf(ctx, s)
	return st, errors.Join(err, s.Close())
}

// Since says of when the copy is.
func (st State) Since(now time.Time) string {
	at, today := st.At.Local(), now.Local()
	switch {
	case st.At.IsZero():
		return "the copy, which the server has never filled yet"
	case at.YearDay() == today.YearDay() && at.Year() == today.Year():
		return "the copy of " + at.Format("15:04")
	}
	return "the copy of " + at.Format("2006-01-02 15:04")
}

// updateState changes the state that is kept in a copy, beside whatever else run does to it.
func updateState(ctx context.Context, s *store.Store, run func(*store.Store, *State) error) error {
	return s.Together(ctx, func(tx *store.Store) error {
		st, err := stateOf(ctx, tx)
		if err != nil {
			return err
		}
		if st.Cursors == nil {
			st.Cursors = map[string]int64{}
		}
		if err := run(tx, &st); err != nil {
			return err
		}
		return tx.Note(ctx, stateKey, st)
	})
}

// trackRepository notes that a repository was worked in on this machine: the copy, which is s, is to have
// its learnings.
func (p *Replica) Track(ctx context.Context, s *store.Store, project string) error {
	if p == nil {
		return nil
	}
	if err := noteURL(p); err != nil {
		return fmt.Errorf("note the URL of the store of which %s is a replica: %w", p.Dir(), err)
	}
	st, err := stateOf(ctx, s)
	if err != nil {
		return err
	}
	if _, seen := st.Cursors[project]; seen {
		return nil
	}
	if err := forgetTried(p); err != nil {
		return err
	}
	return updateState(ctx, s, func(_ *store.Store, st *State) error {
		if _, seen := st.Cursors[project]; !seen { // by another process either
			st.Cursors[project] = 0
		}
		return nil
	})
}

// refreshInterval is how old a copy becomes before it is refreshed, and how long a server that has
// failed is not tried again.
const refreshInterval = time.Minute

// triedFile is written when the server is asked, so that an event can tell by a look at it
// whether that is due.
const triedFile = ".tried"

// SyncDue tells whether the copy is to be refreshed.
func (p *Replica) SyncDue(now time.Time) bool {
	if p == nil {
		return false
	}
	info, err := os.Stat(filepath.Join(p.Dir(), triedFile))
	return err != nil || now.Sub(info.ModTime()) > refreshInterval || info.ModTime().After(now.Add(refreshInterval)) // a clock may be put back
}

// noteTried has nobody else try for a while.
func noteTried(p *Replica) error {
	name := filepath.Join(p.Dir(), triedFile)
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		return err
	}
	now := time.Now()
	return os.Chtimes(name, now, now)
}

func forgetTried(p *Replica) error {
	err := os.Remove(filepath.Join(p.Dir(), triedFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
