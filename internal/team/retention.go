package team

import (
	"context"
	"errors"
	"maps"
	"time"

	"whence/internal/store"
)

// maxKeyAge is how long the server stores the keys of operations. An operation that is sent again after
// that is done twice.
const maxKeyAge = 90 * 24 * time.Hour

// NoteDays notes in the replica for how many days the turns of some projects are kept; 0 is forever.
// The next sync deletes the user's older turns on the server. A note is used once, so that the
// settings of an abandoned clone lose their effect.
func (p *Replica) NoteDays(ctx context.Context, replica *store.Store, days map[string]int) error {
	if p == nil || len(days) == 0 {
		return nil
	}
	st, err := stateOf(ctx, replica)
	if err != nil {
		return err
	}
	all := map[string]int{}
	maps.Copy(all, st.Days)
	if maps.Copy(all, days); maps.Equal(all, st.Days) {
		return nil
	}
	return updateState(ctx, replica, func(_ *store.Store, st *SyncState) error {
		if st.Days == nil {
			st.Days = map[string]int{}
		}
		maps.Copy(st.Days, days)
		return nil
	})
}

// expireOnServer deletes old keys and expired turns of the user on the server, once a day.
func expireOnServer(ctx context.Context, p *Replica, server *Server, local *store.Store, st SyncState) error {
	now := time.Now()
	today := now.UTC().Format(time.DateOnly)
	if st.Cleaned == today {
		return nil
	}
	err := server.Ask(ctx, p, sendTime, func(ctx context.Context, s *store.Store) error {
		if _, err := s.ForgetDelivered(ctx, now.Add(-maxKeyAge)); err != nil {
			return err
		}
		_, err := s.Expire(ctx, st.Days, now)
		return err
	})
	if err != nil && !errors.Is(err, store.ErrForbidden) { // readers have nothing there
		return err
	}
	return updateState(ctx, local, func(_ *store.Store, st *SyncState) error {
		st.Cleaned, st.Days = today, nil
		return nil
	})
}
