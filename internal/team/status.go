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

// SyncState is how far a replica follows its server, as stored in the replica.
type SyncState struct {
	At      time.Time        `json:"at"`              // of the last refresh; zero: never
	Tried   time.Time        `json:"tried"`           // when it was last tried
	Error   string           `json:"error,omitempty"` // of that try
	Store   string           `json:"store,omitempty"` // the id of the store it follows
	Team    string           `json:"team,omitempty"`  // the team it follows
	Cursors map[string]int64 `json:"cursors"`         // by tracked repository: the last revision it has
	Cleaned string           `json:"cleaned"`         // the day of the last expireOnServer
	Days    map[string]int   `json:"days,omitempty"`  // see NoteDays
}

// stateKey is the key under which the replica stores its state.
const stateKey = "delivery"

// stateOf reads the state of a replica.
func stateOf(ctx context.Context, s *store.Store) (st SyncState, err error) {
	_, err = s.Noted(ctx, stateKey, &st)
	return st, err
}

// Status is the state of a replica and its outbox.
type Status struct {
	SyncState
	Waiting  int        // operations in the outbox
	Oldest   time.Time  // when the first of them was made
	Refused  int        // operations that the server refused
	Reason   string     // for the last refusal
	SetAside []SetAside // outboxes for other teams
}

// Status reads the state of the replica and its outbox. It does not ask the server.
func (p *Replica) Status(ctx context.Context) (st Status, err error) {
	for _, dir := range outboxesIn(p.Outbox()) {
		waiting, err := spool.StatusOf(dir)
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
	st.SyncState, err = stateOf(ctx, s)
	return st, errors.Join(err, s.Close())
}

// Since describes the age of the replica.
func (st SyncState) Since(now time.Time) string {
	at, today := st.At.Local(), now.Local()
	switch {
	case st.At.IsZero():
		return "the copy, which the server has never filled yet"
	case at.YearDay() == today.YearDay() && at.Year() == today.Year():
		return "the copy of " + at.Format("15:04")
	}
	return "the copy of " + at.Format("2006-01-02 15:04")
}

// updateState changes the state in a transaction, with whatever else run changes.
func updateState(ctx context.Context, s *store.Store, run func(*store.Store, *SyncState) error) error {
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

// Track makes the replica follow the learnings of a repository that the user works in on this machine. A
// nil replica does nothing.
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
	return updateState(ctx, s, func(_ *store.Store, st *SyncState) error {
		if _, seen := st.Cursors[project]; !seen { // by another process either
			st.Cursors[project] = 0
		}
		return nil
	})
}

// refreshInterval is the time between refreshes, whether or not the last one failed.
const refreshInterval = time.Minute

// triedFile is touched before the server is asked, so that an event learns from its time whether a
// refresh is due.
const triedFile = ".tried"

// SyncDue reports whether the replica should be refreshed. A nil one never is.
func (p *Replica) SyncDue(now time.Time) bool {
	if p == nil {
		return false
	}
	info, err := os.Stat(filepath.Join(p.Dir(), triedFile))
	return err != nil || now.Sub(info.ModTime()) > refreshInterval || info.ModTime().After(now.Add(refreshInterval)) // the clock was set back
}

// noteTried keeps other processes from refreshing for a while.
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
