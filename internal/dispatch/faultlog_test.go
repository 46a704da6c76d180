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

// Both logs are bounded and private, and hold the last faults, each whole, however many write them. While a writer renames
// a full one, which takes as long as the machine does, the others still add to it.
func TestTheFaultLogIsBounded(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows renames no log that another writer has open")
	}
	const writers, faults, maxBytes = 8, 200, 256 << 10
	home := filepath.Join(t.TempDir(), "new")
	fault := errors.New(strings.Repeat("x", 400))
	logFaults := func() {
		for range faults {
			dispatch.LogWorkerFault(home, "capture", fault, time.Second, time.Unix(0, 0))
		}
	}
	read := func() (kept, largest int) {
		t.Helper()
		for _, name := range []string{dispatch.FaultLog(home), dispatch.FaultLog(home) + ".1"} {
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			largest = max(largest, len(src))
			for line := range strings.Lines(string(src)) {
				require.Equal(t, "1970-01-01T00:00:00Z worker capture 1000ms "+fault.Error()+"\n", line)
				kept++
			}
			info, err := os.Stat(name)
			require.NoError(t, err)
			require.Zero(t, info.Mode().Perm()&0o077)
		}
		return kept, largest
	}
	var all sync.WaitGroup
	for range writers {
		all.Go(logFaults)
	}
	all.Wait()
	kept, _ := read()
	require.Greater(t, kept, maxBytes/500, "the older log is whole")
	for range writers {
		logFaults()
	}
	_, largest := read()
	require.Less(t, largest, maxBytes+500)
}
