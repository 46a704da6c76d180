package hooks_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/hooks"
	"whence/internal/cli"
	"whence/internal/test/repotest"
)

// BenchmarkReport reads real transcripts, 20 times each: for the first time, and when they
// are known.
func BenchmarkReport(b *testing.B) {
	files, err := filepath.Glob(filepath.Join(repotest.Shared(b, "transcripts"), "*.jsonl"))
	require.NoError(b, err)
	dir, size := b.TempDir(), int64(0)
	for _, name := range files {
		src, err := os.ReadFile(name)
		require.NoError(b, err)
		for i := range 20 {
			require.NoError(b, os.WriteFile(filepath.Join(dir, fmt.Sprint(i, "-", filepath.Base(name))), src, 0o600))
			size += int64(len(src))
		}
	}
	run := func(b *testing.B, home string) {
		require.Zero(b, hooks.Main(cli.Env{
			Args: []string{"memory-hooks", "report", "--since", "all", "--transcripts", dir}, Dir: dir, Stdout: io.Discard, Stderr: b.Output(),
			Getenv: func(variable string) string { return map[string]string{"WHENCE_HOME": home}[variable] },
		}))
	}
	b.Run("first", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			run(b, b.TempDir())
		}
	})
	b.Run("again", func(b *testing.B) {
		b.SetBytes(size)
		home := repotest.Home(b)
		run(b, home)
		for b.Loop() {
			run(b, home)
		}
	})
}
