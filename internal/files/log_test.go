package files_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/files"
)

// Both files hold the last lines, whole, and those of each writer in order, even if several
// writers find the log full.
func TestManyWriters(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows renames no log that another writer has open")
	}
	const writers, lines, maxBytes = 8, 500, 20_000
	name := filepath.Join(t.TempDir(), "new", "a.log")
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range lines {
				line := fmt.Sprintf("%d %06d %s\n", w, i, strings.Repeat("x", 20))
				require.NoError(t, files.AppendLog(name, []byte(line), maxBytes))
			}
		})
	}
	all.Wait()
	var kept strings.Builder
	for _, name := range []string{name + ".1", name} {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		kept.Write(src)
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077)
	}
	require.Greater(t, kept.Len(), maxBytes*9/10, "the older log is whole")
	last := map[int]int{}
	for line := range strings.Lines(kept.String()) {
		var w, i int
		var rest string
		n, err := fmt.Sscanf(line, "%d %d %s", &w, &i, &rest)
		require.NoError(t, err, line)
		require.Equal(t, 3, n)
		require.Len(t, rest, 20)
		if before, known := last[w]; known {
			require.Greater(t, i, before)
		}
		last[w] = i
	}
}

// Neither file becomes longer than the limit.
func TestALogIsBounded(t *testing.T) {
	const maxBytes = 1000
	name := filepath.Join(t.TempDir(), "a.log")
	for i := range 500 {
		require.NoError(t, files.AppendLog(name, fmt.Appendf(nil, "%06d\n", i), maxBytes))
		for _, name := range []string{name + ".1", name} {
			if info, err := os.Stat(name); err == nil {
				require.LessOrEqual(t, info.Size(), int64(maxBytes))
			}
		}
	}
	require.FileExists(t, name+".1")
}
