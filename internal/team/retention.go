package team

import (
	"context"
	"errors"
	"maps"
	"time"

	"whence/internal/store"
)

// keysKept is how long the server knows the keys of what it was told. What waits longer than
// that, and had been done all the same, counts twice.
const keysKept = 90 * 24 * time.Hour

// NoteDays notes for how many days the turns of some projects are kept, 0 for ever, until the
// server is told: it deletes the user's that are older. Settings of a clone that nobody works in
// any more say nothing.
func NoteDays(ctx context.Context, copy *store.Store, days map[string]int) error {
	st := State{}
	if _, err := copy.Noted(ctx, noteState, &st); err != nil {
		return err
	}
	told := func(known map[string]int) bool {
		for project, n := range days {
			if before, is := known[project]; !is || before != n {
				return false
			}
		}
		return true
	}
	if told(st.Days) {
		return nil
	}
	return change(ctx, copy, func(_ *store.Store, st *State) error {
		if st.Days == nil {
			st.Days = map[string]int{}
		}
		maps.Copy(st.Days, days)
		return nil
	})
}

// clean deletes on the server, once a day, old keys and the user's turns that are too old.
func clean(ctx context.Context, p *Replica, server *Server, copy *store.Store, st State) error {
	now := time.Now()
	today := now.UTC().Format(time.DateOnly)
	if st.Cleaned == today {
		return nil
	}
	err := server.Ask(ctx, p, deliverTime, func(ctx context.Context, s *store.Store) error {
		if _, err := s.ForgetDelivered(ctx, now.Add(-keysKept)); err != nil {
			return err
		}
		_, err := s.Expire(ctx, st.Days, now)
		return err
	})
	if err != nil && !errors.Is(err, store.ErrForbidden) { // a reader has nothing there
		return err
	}
	return change(ctx, copy, func(_ *store.Store, st *State) error {
		st.Cleaned, st.Days = today, nil
		return nil
	})
}
