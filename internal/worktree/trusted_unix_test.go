//go:build unix

package worktree_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/worktree"
)

// A mark that another user put into a folder above is ignored.
func TestAMarkOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to others")
	}
	top := folder(t, []string{"shared/.whence.yaml", "shared/mine/x.md"}, nil)
	shared, mine := filepath.Join(top, "shared"), filepath.Join(top, "shared", "mine")
	require.Equal(t, shared, worktree.Find(mine, ".whence.yaml"))
	require.NoError(t, os.Lchown(filepath.Join(shared, ".whence.yaml"), 1001, 1001))
	require.Equal(t, mine, worktree.Find(mine, ".whence.yaml"))
	require.Equal(t, shared, worktree.Find(shared, ".whence.yaml"), "in the folder itself it counts")
	require.NoError(t, os.Symlink(mine, filepath.Join(shared, "agents")))
	require.Equal(t, shared, worktree.Find(mine, "agents/x.md"))
	require.NoError(t, os.Lchown(filepath.Join(shared, "agents"), 1001, 1001))
	require.Equal(t, mine, worktree.Find(mine, "agents/x.md"), "so is one behind their link, no matter who owns the file")
	require.NoError(t, os.Lchown(mine, 1001, 1001))
	require.Equal(t, shared, worktree.Find(mine, ".whence.yaml"), "both belong to one user")
}
