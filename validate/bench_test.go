package validate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// generated is a memory of any size in which nothing is wrong.
func generated(files, entries int) fstest.MapFS {
	return repotest.Memory(files, entries, "Run `/when <trigger>` to see a decision.", "\nWhat was decided there.\n", func(n int) (line, section string) {
		return fmt.Sprintf("/when doing thing %d | Rule %d of the area: prefer one over the other | keywords about thing and %d measured\n", n, n, n),
			fmt.Sprintf("\n### Rule %d of the area: prefer one over the other\n\nIt was measured twice, in March and in May. The second\nform takes half of the time, and fails loudly.\n\n```sh\n# a comment\nmake rule-%d\n```\n\n- No exception is known.\n- See `services/area/rule.go`.\n", n, n)
	})
}

// BenchmarkProcess measures the whole program.
func BenchmarkProcess(b *testing.B) {
	dir := b.TempDir()
	program := repotest.Build(b, dir, "whence/validate/memory-validate")
	memories := map[string]string{
		"ferry": filepath.Join(repotest.Root(b), "examples", "ferry"),
	}
	for _, size := range []struct{ entries, files int }{{374, 23}, {10_000, 500}} {
		name := fmt.Sprintf("entries=%d/files=%d", size.entries, size.files)
		memories[name] = filepath.Join(dir, fmt.Sprint(size.entries))
		require.NoError(b, os.CopyFS(memories[name], generated(size.files, size.entries)))
	}
	for name, memory := range memories {
		b.Run(name, func(b *testing.B) {
			repotest.Compare(b, program, "--repo", memory)
		})
	}
}
