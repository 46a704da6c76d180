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

// Sync sends the outboxes of all replicas of this user, and refreshes those that are due. It works in
// parallel, so that a server that hangs delays no other, and skips servers that have just failed or are
// revoked. Sent is the number of operations.
func Sync(ctx context.Context, home string, server *Server) (sent int, err error) {
	replicas, err := Replicas(home)
	replicas = slices.DeleteFunc(replicas, func(p *Replica) bool {
		revoked, fault := IsRevoked(home, p.URL)
		err = errors.Join(err, fault)
		return revoked || fault != nil
	})
	if server == nil || len(replicas) == 0 {
		return 0, err
	}
	counts, errs := make([]int, len(replicas)), make([]error, len(replicas))
	var all sync.WaitGroup
	for i, p := range replicas {
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
		sent += n
	}
	return sent, errors.Join(append(errs, err)...)
}

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
	unavailable := errors.Is(err, spool.ErrNotNow) || retryable(err)
	if (due || unavailable) && ctx.Err() == nil { // notes that it is unavailable
		failed := p.Refresh(ctx, server)
		switch {
		case errors.Is(failed, ErrBusy):
		case unavailable: // the same error
		default:
			err = errors.Join(err, failed)
		}
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", p.Name(), err)
	}
	return n, err
}
