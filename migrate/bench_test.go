package migrate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// generated is a memory of any size in the oldest format.
func generated(files, entries int) fstest.MapFS {
	return repotest.Memory(files, entries, "Scan it mentally, then read the file.", "", func(n int) (line, section string) {
		return fmt.Sprintf("Thing %d detection strategy — keywords about thing %d as it was measured\n", n, n),
			fmt.Sprintf("\n## Thing %d detection strategy\n\nIt was measured twice, and the second form takes half of the time.\n", n)
	})
}

// BenchmarkProcess measures the whole program.
func BenchmarkProcess(b *testing.B) {
	dir := b.TempDir()
	program := repotest.Build(b, dir, "whence/migrate/memory-migrate")
	for _, size := range []struct{ entries, files int }{{150, 10}, {10_000, 20}, {10_000, 500}} {
		b.Run(fmt.Sprintf("entries=%d/files=%d", size.entries, size.files), func(b *testing.B) {
			memory := filepath.Join(dir, fmt.Sprint(size.entries, size.files))
			require.NoError(b, os.CopyFS(memory, generated(size.files, size.entries)))
			repotest.Compare(b, program, "plan", "--quiet", "--repo", memory)
		})
	}
}
