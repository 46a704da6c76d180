package home_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"whence/internal/home"

	"github.com/stretchr/testify/require"
)

// worktree makes a folder the root of a work tree.
func worktree(t *testing.T, dir string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".git"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".git", "HEAD"), nil, 0o644))
	return dir
}

// The outermost work tree around a folder counts. There may be none.
func TestOuterTree(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	outer := worktree(t, filepath.Join(dir, "outer"))
	inner := worktree(t, filepath.Join(outer, "worktrees", "w1"))
	require.Equal(t, outer, home.OuterTree(filepath.Join(inner, "not", "there")))
	require.Empty(t, home.OuterTree(dir))
}

// Git gets no home folder in a work tree, and no relative one.
func TestForGit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the user's home has no variable HOME")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	tree := worktree(t, filepath.Join(dir, "tree"))
	ann := filepath.Join(dir, "ann")
	require.NoError(t, os.Mkdir(ann, 0o755))
	require.NoError(t, os.Symlink(ann, filepath.Join(dir, "link")))
	t.Chdir(tree)
	own := home.ForGit(environment(nil))
	for value, want := range map[string]string{
		ann: ann, filepath.Join(dir, "link"): ann, tree: own, filepath.Join(tree, "x"): own, "relative": own, "/proc/self/cwd": own, "/proc/self/cwd/x": own, "": own,
	} {
		if _, err := os.Stat("/proc/self/cwd"); err != nil && strings.HasPrefix(value, "/proc") {
			continue
		}
		require.Equal(t, want, home.ForGit(environment(map[string]string{"HOME": value})), value)
	}
}
