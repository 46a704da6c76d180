package delivery_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/delivery"
	"whence/internal/store"
)

// Who waits for a delivery may go as often as he likes: nothing is given up for that.
func TestWhoWaitsGoes(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	write(t, p, nil, putting(lesson(1)))
	for range 25 {
		ctx, cancel := context.WithCancel(t.Context())
		server := delivery.NewServer(func(ctx context.Context, _ string) (*store.Store, error) {
			cancel()
			return nil, ctx.Err()
		})
		_, err := delivery.Deliver(ctx, p, server)
		require.ErrorIs(t, err, context.Canceled)
	}
	requireWaiting(t, p, 1)
	n, err := delivery.Deliver(t.Context(), p, o.server(t))
	require.NoError(t, err)
	require.Equal(t, 1, n)
}
