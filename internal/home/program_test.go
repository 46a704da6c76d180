package home_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/home"
)

// worktree makes a folder the root of a work tree.
func worktree(t *testing.T, dir string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".git"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".git", "HEAD"), nil, 0o644))
	return dir
}

// A program of the repository, or of one around it, is never found, by whatever path and settings of the
// language's library.
func TestLookPath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs have other names, and links need permission")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	outer := worktree(t, filepath.Join(dir, "outer"))
	inner := worktree(t, filepath.Join(outer, "worktrees", "w1"))
	elsewhere := filepath.Join(dir, "bin")
	for _, folder := range []string{filepath.Join(outer, "bin"), filepath.Join(inner, "bin"), elsewhere} {
		require.NoError(t, os.MkdirAll(folder, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "tool"), []byte("#!/bin/sh\n"), 0o755))
	}
	require.NoError(t, os.Symlink("../..", filepath.Join(inner, "up")))
	require.NoError(t, os.Symlink(filepath.Join(inner, "bin"), filepath.Join(dir, "linked")))
	t.Chdir(inner)
	t.Setenv("GODEBUG", "execerrdot=0")
	for _, path := range []string{filepath.Join(inner, "bin"), filepath.Join(outer, "bin"), "bin", ".", "./bin", filepath.Join(inner, "up", "bin"), filepath.Join(dir, "linked"), "/proc/self/cwd/bin"} {
		t.Setenv("PATH", path)
		found, err := home.LookPath("tool", inner)
		require.ErrorIs(t, err, exec.ErrNotFound, "%s: %s", path, found)
	}
	t.Setenv("PATH", elsewhere)
	found, err := home.LookPath("tool", inner)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(elsewhere, "tool"), found)
	require.Equal(t, outer, home.OuterTree(filepath.Join(inner, "not", "there")))
	require.Empty(t, home.OuterTree(elsewhere))
}

// Git finds no settings in a work tree, nor in a folder that depends on where it runs.
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
