package repotest

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/worktree"
)

// Drained waits until what events have left in a store is read, and no worker is at work there. Capture runs one; it may
// leave the rest to one that waits.
func Drained(t testing.TB, home string, capture func()) {
	t.Helper()
	require.Eventually(t, func() bool {
		capture()
		for _, name := range []string{"capture.next.lock", "capture.lock"} {
			unlock, err := worktree.TryLock(filepath.Join(home, name))
			if err != nil || unlock == nil || unlock() != nil {
				return false
			}
		}
		return true
	}, 5*time.Minute, 50*time.Millisecond)
}
