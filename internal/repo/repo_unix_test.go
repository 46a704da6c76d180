//go:build unix

package repo_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/repo"
)

// A .git that is neither a folder nor a file is ignored: opening a pipe would wait for a writer.
// So is a file that is none of git's, however large.
func TestStrangeGitFiles(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, ".git")
	require.NoError(t, syscall.Mkfifo(name, 0o600))
	_, err := repo.Open(dir, dir, none)
	require.ErrorIs(t, err, repo.ErrNoRepository)
	require.NoError(t, os.Remove(name))
	require.NoError(t, os.WriteFile(name, nil, 0o600))
	require.NoError(t, os.Truncate(name, 1<<40))
	_, err = repo.Open(dir, dir, none)
	require.ErrorIs(t, err, repo.ErrNoRepository)
}
