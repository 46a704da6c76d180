package store_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
)

// Each fault of a store has an error of its own, so that the advice helps.
func TestLockedAndFull(t *testing.T) {
	ctx, dir := store.WithMaxWait(context.Background(), time.Millisecond), t.TempDir()
	busy := open(t, dir)
	_, err := busy.Put(ctx, learned("the one that is held is about quoting variables"), store.Observation{})
	require.NoError(t, err)
	background(t, "hold", dir)
	err = busy.Note(ctx, "key", 1)
	require.True(t, store.Locked(err), err)
	require.False(t, store.Full(err))
	require.True(t, store.Full(fmt.Errorf("write memory.db: %w", syscall.ENOSPC)))
	require.False(t, store.Locked(nil) || store.Full(nil))
}
