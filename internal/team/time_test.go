package team_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/team"
)

// Who waits for a delivery may go as often as he likes: nothing is given up for that.
func TestWhoWaitsGoes(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	write(t, p, nil, putting(lesson(1)))
	for range 25 {
		ctx, cancel := context.WithCancel(t.Context())
		server := team.NewServer(func(ctx context.Context, _ string) (*store.Store, error) {
			cancel()
			return nil, ctx.Err()
		})
		_, err := p.Send(ctx, server)
		require.ErrorIs(t, err, context.Canceled)
	}
	requireWaiting(t, p, 1)
	n, err := p.Send(t.Context(), o.server(t))
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

// Where no time is left the server is not asked, and its connection stays.
func TestNoTimeIsLeft(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	server := o.server(t)
	ask := func(within time.Duration) error {
		return server.Ask(t.Context(), p, within, func(context.Context, *store.Store) error { return nil })
	}
	require.NoError(t, ask(time.Minute))
	require.ErrorIs(t, ask(0), team.ErrBehind)
	require.ErrorIs(t, ask(-time.Second), team.ErrBehind)
	require.NoError(t, ask(time.Minute))
	require.EqualValues(t, 1, o.asked.Load())
}

// Who has little time does not wait for the connection that another one opens.
func TestWhoHasLittleTime(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	begun, goOn := make(chan struct{}), make(chan struct{})
	server := team.NewServer(func(ctx context.Context, url string) (*store.Store, error) {
		close(begun)
		<-goOn
		return o.dial(ctx, url)
	})
	nothing := func(context.Context, *store.Store) error { return nil }
	slow, quick := make(chan error, 1), make(chan error, 1)
	go func() { slow <- server.Ask(t.Context(), p, time.Minute, nothing) }()
	<-begun
	go func() { quick <- server.Ask(t.Context(), p, time.Millisecond, nothing) }()
	select {
	case err := <-quick:
		require.ErrorContains(t, err, "no answer within 1ms")
	case <-time.After(5 * time.Minute):
		t.Error("it waits for the other one")
	}
	close(goOn)
	require.NoError(t, <-slow)
	require.NoError(t, server.Close())
}
