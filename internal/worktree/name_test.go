package worktree_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/worktree"
)

func TestName(t *testing.T) {
	dir := folder(t, []string{"real/a/x.md", "other/y.md"}, map[string]string{"link": "real"})
	for _, c := range []struct {
		dir, path, want string // want is "" if path is not inside
	}{
		{"real", "real/a/x.md", "a/x.md"},
		{"real", "real/a/../b/new.md", "b/new.md"},
		{"real", "real", "."},
		{"real", "other/y.md", ""},
		{"real", "real/../other/y.md", ""},
		{"real", "realer/x.md", ""},
		{"link", "link/a/x.md", "a/x.md"},
		{"link", "real/a/x.md", "a/x.md"},
		{"link", "real/a/new/z.md", "a/new/z.md"},
		{"link", "other/y.md", ""},
		{"real", "link/a/x.md", "a/x.md"},
		{"real", "link/a/new/z.md", "a/new/z.md"},
		{"other", "link/a/x.md", ""},
		{"missing", "other/y.md", ""},
	} {
		name, inside := worktree.Name(filepath.Join(dir, c.dir), filepath.Join(dir, filepath.FromSlash(c.path)))
		require.Equal(t, c.want, name, "%+v", c)
		require.Equal(t, c.want != "", inside, "%+v", c)
	}
}
