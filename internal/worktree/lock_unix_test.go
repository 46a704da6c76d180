//go:build unix

package worktree_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A new file has the mode that the user's umask gives it.
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
