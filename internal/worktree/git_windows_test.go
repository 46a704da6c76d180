package worktree_test

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"
)

// A backslash separates elements on Windows, so it cannot hide a git directory.
func TestABackslashHidesNoGitDirectory(t *testing.T) {
	tree := open(t, folder(t, []string{"sub/.git/config", "sub/x.md"}, nil))
	for _, name := range []string{`sub\.git\config`, `sub\x.md`, `sub\..\sub/x.md`} {
		_, err := fs.ReadFile(tree.FS(), name)
		require.ErrorIs(t, err, fs.ErrInvalid, name)
	}
}
