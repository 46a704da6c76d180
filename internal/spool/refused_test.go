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
