package dispatch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Each session waits for itself alone: while one is held, 200 others go on.
func TestSessionsDoNotWaitForEachOther(t *testing.T) {
	home := t.TempDir()
	begun, end := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		_ = withLock(t.Context(), sessionFile(home, "held"), func() error { close(begun); <-end; return nil })
	})
	<-begun
	limited, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var others sync.WaitGroup
	errs := make([]error, 200)
	for i := range errs {
		others.Go(func() {
			errs[i] = withLock(limited, sessionFile(home, string(rune('a'+i))), func() error { return nil })
		})
	}
	others.Wait()
	require.NoError(t, errors.Join(errs...))
	soon, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	require.ErrorIs(t, withLock(soon, sessionFile(home, "held"), func() error { return nil }), context.DeadlineExceeded)
	close(end)
	all.Wait()
}

// While locks are removed and made anew, one process at a time has the session.
func TestLocksThatAreRemoved(t *testing.T) {
	home := t.TempDir()
	state := sessionFile(home, "s")
	var inside, total atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				require.NoError(t, withLock(t.Context(), state, func() error {
					require.EqualValues(t, 1, inside.Add(1))
					total.Add(1)
					inside.Add(-1)
					return nil
				}))
				require.NoError(t, removeOldSession(t.Context(), state, time.Now()))
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 800, total.Load())
	left, err := os.ReadDir(sessionsDir(home))
	require.NoError(t, err)
	require.Empty(t, left)
}

// The files of a session go together, when all of them are old.
func TestCleanTakesTheLockWithTheState(t *testing.T) {
	home, now := t.TempDir(), time.Now()
	require.NoError(t, os.Mkdir(sessionsDir(home), 0o700))
	old := now.Add(-maxSessionAge - time.Hour)
	write := func(session, extension string, at time.Time) string {
		name := filepath.Join(sessionsDir(home), shortHash(session, 12)+extension)
		require.NoError(t, os.WriteFile(name, []byte("{}"), 0o600))
		require.NoError(t, os.Chtimes(name, at, at))
		return name
	}
	var gone, kept []string
	for _, extension := range []string{".json", ".json.new", ".lock"} {
		gone = append(gone, write("old", extension, old))
		kept = append(kept, write("new", extension, now))
	}
	gone = append(gone, write("a lock alone", ".lock", old))
	kept = append(kept, write("goes on", ".lock", old), write("goes on", ".json", now))
	require.NoError(t, removeOldSessions(t.Context(), home, now))
	for _, name := range gone {
		require.NoFileExists(t, name)
	}
	for _, name := range kept {
		require.FileExists(t, name)
	}
}
