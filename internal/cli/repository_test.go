package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
)

// Each of the marks makes a folder the root of the folders below it. The nearest one counts.
func TestRoot(t *testing.T) {
	dir := t.TempDir()
	for folder, mark := range map[string]string{"git": ".git/HEAD", "settings": ".whence.yaml", "index": "agents/memory-index.md", "git/nested": ".whence.yaml"} {
		name := filepath.Join(dir, folder, mark)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, nil, 0o644))
		below := filepath.Join(dir, folder, "src", "deep")
		require.NoError(t, os.MkdirAll(below, 0o755))
		require.Equal(t, filepath.Join(dir, folder), cli.Root(below))
		require.Equal(t, filepath.Join(dir, folder), cli.Root(filepath.Join(dir, folder)))
	}
}
