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

// Both logs are private and hold the last faults, each whole, however many write them. A full one gives way to the next
// fault; only while a writer renames it can the others add more.
func TestTheFaultLogIsBounded(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows renames no log that another writer has open")
	}
	const writers, faults, maxBytes = 8, 200, 256 << 10
	home := filepath.Join(t.TempDir(), "new")
	fault := errors.New(strings.Repeat("x", 400))
	log := func() { dispatch.LogWorkerFault(home, "capture", fault, time.Second, time.Unix(0, 0)) }
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for range faults {
				log()
			}
		})
	}
	all.Wait()
	log()
	kept := 0
	for _, name := range []string{dispatch.FaultLog(home), dispatch.FaultLog(home) + ".1"} {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		if name == dispatch.FaultLog(home) {
			require.Less(t, len(src), maxBytes+500)
		}
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
