package repo_test

import (
	"errors"
	"io/fs"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/repo"
)

// A staged file may be missing from a partial clone. It is not fetched, and the error for files that are to be read
// names the command that fetches them.
func TestMissingContents(t *testing.T) {
	dir := repositories()["partial clone without contents"](t)
	tree := staged(t, dir, none)
	_, err := fs.ReadFile(tree, "a.md")
	require.ErrorContains(t, err, "git cat-file: ")
	err = tree.Load([]string{"a.md", "notes/b.md"})
	unfetched := (*repo.UnfetchedError)(nil)
	require.True(t, errors.As(err, &unfetched), err)
	fetch := exec.Command("sh", "-c", unfetched.Command)
	fetch.Dir = dir
	require.NoError(t, fetch.Run())
	tree = staged(t, dir, none)
	require.NoError(t, tree.Load([]string{"a.md", "notes/b.md"}))
	text, err := fs.ReadFile(tree, "a.md")
	require.NoError(t, err)
	require.Equal(t, "a.md\n", string(text))
}
