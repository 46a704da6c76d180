package remember

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/worktree"
)

// If the second file cannot be written, the first is restored.
func TestWriteAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(text)
	}
	for _, name := range []string{"a.md", "b.md"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("before\n"), 0o644))
	}
	tree, err := worktree.Open(dir)
	require.NoError(t, err)
	defer tree.Close()
	changes := []fileChange{
		{path: "a.md", before: []byte("before\n"), after: []byte("after\n")},
		{path: "b.md", before: []byte("something else\n"), after: []byte("after\n")},
	}
	require.ErrorIs(t, writeAll(tree, changes), worktree.ErrChanged)
	require.Equal(t, "before\n", read("a.md"))
	require.Equal(t, "before\n", read("b.md"))

	changes[1].before = []byte("before\n")
	require.NoError(t, writeAll(tree, changes))
	require.Equal(t, "after\n", read("a.md"))
	require.Equal(t, "after\n", read("b.md"))
}
