package spool_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/spool"
)

// A job that is refused for good is given up at the first attempt, and its session goes on.
func TestARefusedJobIsPutAsideAtOnce(t *testing.T) {
	dir := filled(t, "one", "two", "three")
	tried, done, err := drain(dir, func(job string) error {
		if job == "two" {
			return fmt.Errorf("%w: nobody wants it", spool.ErrRefused)
		}
		return nil
	})
	require.ErrorContains(t, err, "is given up: refused: nobody wants it")
	require.Equal(t, []string{"one", "two", "three"}, tried)
	require.Equal(t, 2, done)
	s := requireStatus(t, dir, 0, 0, 1)
	require.Equal(t, "refused: nobody wants it", s.Reason)
	n, err := spool.RequeueFailed(dir)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	requireDone(t, dir, "two")
}

// A job of a newer version stays as it is, however often it is tried, and holds back its session.
func TestAJobOfANewerVersionStays(t *testing.T) {
	dir := none(t)
	later := `{"version": 3, "task": "dream"}`
	for _, job := range []struct{ session, text string }{{"s1", later}, {"s2", `{"version": 2}`}, {"s1", `{}`}} {
		require.NoError(t, spool.Add(dir, job.session, []byte(job.text)))
	}
	before := jobFiles(t, dir)
	check := func(job string) error { return spool.CheckVersion([]byte(job), 2) }
	tried, done, err := drain(dir, check)
	require.ErrorIs(t, err, spool.ErrNewer)
	require.ErrorContains(t, err, "its version is 3, known is 2")
	require.Equal(t, []string{later, `{"version": 2}`}, tried)
	require.Equal(t, 1, done)
	for range spool.MaxBegun + 1 {
		_, _, err = drain(dir, check)
		require.ErrorIs(t, err, spool.ErrNewer)
	}
	require.Equal(t, []string{before[0], before[2]}, jobFiles(t, dir))
	requireDone(t, dir, later, `{}`)
}
