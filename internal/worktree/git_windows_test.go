package worktree_test

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"
)

// A backslash separates elements here, so it hides none from the search for git directories.
func TestABackslashHidesNoGitDirectory(t *testing.T) {
	tree := open(t, folder(t, []string{"sub/.git/config", "sub/x.md"}, nil))
	for _, name := range []string{`sub\.git\config`, `sub\x.md`, `sub\..\sub/x.md`} {
		_, err := fs.ReadFile(tree.FS(), name)
		require.ErrorIs(t, err, fs.ErrInvalid, name)
	}
}
