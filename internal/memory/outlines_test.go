package memory_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/memory"
	"whence/internal/worktree"
)

// Files are the same with and without what is kept, and what is torn, too open or hostile is ignored.
func TestOutlines(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("# A\n\n## B\n\ntext\n"), 0o644))
	layout := memory.Layout{Index: "index.md", Decisions: []string{"*.md"}}
	tree, err := worktree.Open(dir)
	require.NoError(t, err)
	titles := func(src string) (titles []string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte(src), 0o644))
		source, err := memory.OpenWorktree(tree, layout, memory.Options{Home: home, Now: time.Now()})
		require.NoError(t, err)
		m, err := memory.Open(source, layout)
		require.NoError(t, err)
		for _, h := range m.Headings {
			titles = append(titles, h.Title)
		}
		return titles
	}
	require.Equal(t, []string{"A", "B"}, titles("# A\n\n## B\n\ntext\n"))
	files, err := filepath.Glob(filepath.Join(home, "memory", "*.outlines"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	info, err := os.Stat(files[0])
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	require.Equal(t, []string{"A", "B"}, titles("# A\n\n## B\n\ntext\n"))
	require.Equal(t, []string{"A", "C"}, titles("# A\n\n## C\n\ntext\n"))

	whole, err := os.ReadFile(files[0])
	require.NoError(t, err)
	for at := range whole {
		torn := append([]byte(nil), whole...)
		torn[at] ^= 0xff
		for _, src := range [][]byte{torn, whole[:at]} {
			require.NoError(t, os.WriteFile(files[0], src, 0o600))
			require.Equal(t, []string{"A", "C"}, titles("# A\n\n## C\n\ntext\n"), at)
		}
	}
	require.NoError(t, os.Remove(files[0]))
	require.NoError(t, os.Symlink("/etc/passwd", files[0]))
	require.Equal(t, []string{"A", "C"}, titles("# A\n\n## C\n\ntext\n"))
}
