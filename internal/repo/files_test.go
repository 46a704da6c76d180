package repo_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/repo"
)

// Ignored files are omitted, and names are relative to the folder.
func TestFiles(t *testing.T) {
	dir := start(t)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "docs/[a]"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "docs/b"), 0o755))
	for _, name := range []string{"tracked.md", "docs/[a]/ü \"x\".md", "docs/b/new.md", "docs/b/old.log"} {
		write(t, dir, name, "x\n")
	}
	write(t, dir, ".gitignore", "*.log\n")
	git(t, dir, "add", "tracked.md")
	r, err := repo.Open(dir, dir, os.Getenv)
	require.NoError(t, err)
	files, err := r.Files(context.Background(), dir, nil, false)
	require.NoError(t, err)
	require.Subset(t, files, []string{"tracked.md", "docs/[a]/ü \"x\".md", "docs/b/new.md", ".gitignore"})
	require.NotContains(t, files, "docs/b/old.log")
	files, err = r.Files(context.Background(), filepath.Join(dir, "docs/[a]"), nil, false)
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"ü \"x\".md": false}, files)
}
