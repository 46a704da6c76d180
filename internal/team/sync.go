package team

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"whence/internal/parallel"
	"whence/internal/spool"
)

// Sync brings all copies of this user together with their servers: what waits in an
// outbox is delivered, and a copy that is due is refreshed. Servers are asked side by side,
// so that one that hangs keeps no other waiting; one that has just failed is left alone, and so
// is one that the user has revoked.
// Delivered is how many operations were.
func Sync(ctx context.Context, home string, server *Server) (delivered int, err error) {
	places, err := Replicas(home)
	places = slices.DeleteFunc(places, func(p *Replica) bool {
		revoked, fault := IsRevoked(home, p.URL)
		err = errors.Join(err, fault)
		return revoked || fault != nil
	})
	if server == nil || len(places) == 0 {
		return 0, err
	}
	counts, errs := make([]int, len(places)), make([]error, len(places))
	var all sync.WaitGroup
	for i, p := range places {
		all.Go(func() {
			defer func() {
				if value := recover(); value != nil {
					errs[i] = parallel.Recovered(value)
				}
			}()
			counts[i], errs[i] = syncReplica(ctx, p, server)
		})
	}
	all.Wait()
	for _, n := range counts {
		delivered += n
	}
	return delivered, errors.Join(append(errs, err)...)
}

// syncReplica is Exchange for one.
func syncReplica(ctx context.Context, p *Replica, server *Server) (n int, err error) {
	st, err := p.Status(ctx)
	if err != nil {
		return 0, err
	}
	due := p.SyncDue(time.Now())
	if st.Error != "" && !due || st.Waiting == 0 && !due {
		return 0, nil
	}
	if st.Waiting > 0 {
		n, err = p.Send(ctx, server)
	}
	away := errors.Is(err, spool.ErrNotNow) || retryable(err)
	if (due || away) && ctx.Err() == nil { // if it is away, that is noted
		failed := p.Refresh(ctx, server)
		switch {
		case errors.Is(failed, ErrBusy):
		case away: // it says the same
		default:
			err = errors.Join(err, failed)
		}
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", p.Name(), err)
	}
	return n, err
}
