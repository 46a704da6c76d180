//go:build unix

package worktree_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// The mode of a new file follows the user's umask.
func TestTheUmaskHolds(t *testing.T) {
	isolate(t)
	dir := t.TempDir()
	tree := open(t, dir)
	before := syscall.Umask(0o077)
	err := tree.Replace("x.md", nil, []byte("text"))
	syscall.Umask(before)
	require.NoError(t, err)
	info, err := os.Stat(filepath.Join(dir, "x.md"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}
