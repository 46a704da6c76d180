package dispatch_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/dispatch"
)

// Both logs are bounded and private, and hold the last faults, each whole, however many write them.
func TestTheFaultLogIsBounded(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows renames no log that another writer has open")
	}
	const writers, faults, maxBytes = 8, 200, 256 << 10
	home := filepath.Join(t.TempDir(), "new")
	fault := errors.New(strings.Repeat("x", 400))
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for range faults {
				dispatch.LogWorkerFault(home, "capture", fault, time.Second, time.Unix(0, 0))
			}
		})
	}
	all.Wait()
	kept := 0
	for _, name := range []string{dispatch.FaultLog(home), dispatch.FaultLog(home) + ".1"} {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Less(t, len(src), maxBytes+writers*500)
		for line := range strings.Lines(string(src)) {
			require.Equal(t, "1970-01-01T00:00:00Z worker capture 1000ms "+fault.Error()+"\n", line)
			kept++
		}
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077)
	}
	require.Greater(t, kept, maxBytes/500, "the older log is whole")
}
