package spool_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/spool"
)

// A job that no worker has begun is replaced, and keeps its place and session. One that was
// begun or done stays as it was.
func TestReplace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "spool")
	first, err := spool.AddReplaceable(dir, "a", []byte("first"))
	require.NoError(t, err)
	require.NoError(t, spool.Add(dir, "b", []byte("second")))
	require.NoError(t, spool.Replace(dir, first, []byte("first, replaced")))
	require.NoError(t, spool.Replace(dir, first, []byte("once more")), "it is gone")
	held, err := spool.AddReplaceable(dir, "c", []byte("fails"))
	require.NoError(t, err)
	tried, _, err := drain(dir, func(job string) error {
		if job == "fails" {
			return errors.New("not yet")
		}
		return nil
	})
	require.ErrorContains(t, err, "not yet")
	require.Equal(t, []string{"first, replaced", "second", "fails"}, tried)
	require.NoError(t, spool.Replace(dir, held, []byte("too late")))
	requireDone(t, dir, "fails")
	require.ErrorContains(t, spool.Replace(dir, "x", []byte("y")), "is not the id of a job")
	require.ErrorContains(t, spool.Replace(dir, first, make([]byte, spool.MaxJobBytes+1)), "too long")
}

// While a worker runs, each job is done with its old text or its new one.
func TestReplaceBesideAWorker(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "spool")
	const jobs = 300
	var adding sync.WaitGroup
	adding.Go(func() {
		for range jobs {
			id, err := spool.AddReplaceable(dir, "", []byte("raw"))
			require.NoError(t, err)
			require.NoError(t, spool.Replace(dir, id, []byte("settled")))
		}
	})
	added := make(chan struct{})
	go func() { adding.Wait(); close(added) }()
	done := 0
	for last := false; !last; {
		select {
		case <-added:
			last = true
		default:
		}
		tried, _, err := drain(dir, succeed)
		require.NoError(t, err)
		done += len(tried)
	}
	require.GreaterOrEqual(t, done, jobs)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "the lock")
}

// A synced job is done like any other job.
func TestAddSynced(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "spool")
	require.NoError(t, spool.AddSynced(dir, "", []byte("one")))
	require.NoError(t, spool.AddSynced(dir, "", []byte("two")))
	requireDone(t, dir, "one", "two")
	require.ErrorContains(t, spool.AddSynced(dir, "", make([]byte, spool.MaxJobBytes+1)), "too long")
}
