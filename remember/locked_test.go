package remember_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/worktree"
)

var errUnchanged = errors.New("unchanged")

// What only reads does not wait for a process that keeps the store locked for writing.
func TestReadsDoNotWaitForAWriter(t *testing.T) {
	l := newLearner(t)
	l.good("the timetable cache is stale for a minute in all tests")
	s, err := store.OpenExisting(t.Context(), l.settings["WHENCE_HOME"])
	require.NoError(t, err)
	locked, release, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		_, err := s.Edit(t.Context(), store.Scope{Everywhere: true}, "the timetable cache is stale for a minute in all tests", time.Now(), func(*learning.Learning) error {
			close(locked)
			<-release
			return errUnchanged
		})
		done <- err
	}()
	<-locked
	t.Cleanup(func() {
		close(release)
		require.ErrorIs(t, <-done, errUnchanged)
		require.NoError(t, s.Close())
	})

	const maxTime = store.BusyTimeout / 4 // far above what a busy machine takes, and far below a wait
	for _, args := range [][]string{
		{"search", "timetable cache"}, {"list"}, {"show", "the timetable cache is stale for a minute in all tests"}, {"export"},
	} {
		begun := time.Now()
		require.Contains(t, l.good(args...), "timetable cache", args)
		require.Less(t, time.Since(begun), maxTime, args)
	}
	begun := time.Now()
	got := l.runWith(`{"session_id":"s","hook_event_name":"SessionStart","source":"startup","transcript_path":"`+filepath.Join(l.dir, "t.jsonl")+`"}`, "hook", "SessionStart")
	require.Contains(t, got.Stdout, "timetable cache")
	require.Less(t, time.Since(begun), maxTime)
}

// A user who deletes the store gets no new one from a worker that waits, with a log of what it missed.
func TestTheStoreIsDeletedMeanwhile(t *testing.T) {
	l := newLearner(t)
	home := l.settings["WHENCE_HOME"]
	l.captured("s", "", 0, "what was said")
	unlock, err := worktree.TryLock(filepath.Join(home, "capture.lock"))
	require.NoError(t, err)
	ended := make(chan answer)
	go func() { ended <- l.run("capture", "--quiet", "--store", home) }()
	require.Eventually(t, func() bool { _, err := os.Stat(filepath.Join(home, "capture.next.lock")); return err == nil }, time.Minute, time.Millisecond)
	require.Eventually(t, func() bool { return os.RemoveAll(home) == nil }, time.Minute, time.Millisecond) // it opens its lock again and again
	require.NoError(t, unlock())
	require.Equal(t, answer{}, <-ended)
	require.NoDirExists(t, home)
}
