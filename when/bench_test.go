package when_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// BenchmarkProcess measures the whole program.
func BenchmarkProcess(b *testing.B) {
	dir := b.TempDir()
	program := repotest.Build(b, dir, "whence/when/memory-when")
	b.Setenv("WHENCE_HOME", repotest.ClaimHome(b, filepath.Join(dir, "home")))
	for _, size := range []struct{ entries, files int }{{374, 23}, {10_000, 500}} {
		memory := filepath.Join(dir, fmt.Sprint(size.entries))
		tree := repotest.NewTalk().Memory(size.files, size.entries)
		require.NoError(b, os.CopyFS(memory, tree))
		var triggers []string
		for e := range entries(tree) {
			triggers = append(triggers, e.Trigger.Text)
		}
		slices.Sort(triggers)
		name := fmt.Sprintf("entries=%d/", size.entries)
		run := func(kind string, args ...string) {
			b.Run(name+kind, func(b *testing.B) { repotest.Compare(b, program, append(args, "--repo", memory)...) })
		}
		run("exact", triggers[0])
		run("batch=100", triggers[:100]...)
		time.Sleep(3 * time.Second) // a memory that has just changed has no cache
		run("recall", "recall", "the bacoba of difer gonhu, and why killam mornes pradi")
	}
}
