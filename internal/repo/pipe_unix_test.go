//go:build unix

package repo_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/repo"
)

// An archive may have a pipe in the place of any file of a git directory, or of a .gitignore. No command waits for its
// writer.
func TestNothingWaitsForAPipe(t *testing.T) {
	isolate(t)
	for _, name := range []string{
		".git/index", ".git/config", ".git/HEAD", ".git/config.worktree", ".git/commondir", ".git/packed-refs", ".git/shallow", ".git/info/exclude",
		".git/info/attributes", ".git/objects/info/alternates", ".git/objects/pack/pack-x.idx", ".git/refs/heads/main", ".git/MERGE_HEAD",
		".gitignore", ".gitattributes", "sub/.gitignore", ".git",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := realPath(t, t.TempDir())
			require.NoError(t, exec.Command("git", "init", "-q", "-b", "main", dir).Run())
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "sub"), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "sub", "a.md"), []byte("text\n"), 0o644))
			add := exec.Command("git", "add", "-A")
			add.Dir = dir
			require.NoError(t, add.Run())
			pipe := filepath.Join(dir, filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(pipe), 0o755))
			require.NoError(t, os.RemoveAll(pipe))
			require.NoError(t, syscall.Mkfifo(pipe, 0o600))
			r, err := repo.Open(filepath.Join(dir, "sub"), dir, none)
			if err != nil {
				return // it is no repository, or one that only git could read
			}
			_, err = r.Files(t.Context(), filepath.Join(dir, "sub"), []string{"a.md"}, false)
			require.ErrorContains(t, err, pipe+" is a pipe or a device")
			_, _ = r.Staged()
			_, _ = r.Head()
			_, _ = r.Recent(t.Context(), 3)
			_, _ = r.Dirty(filepath.Join(dir, "sub", "a.md"))
			_ = r.Identity()
		})
	}
}

// Neither go-git nor git waits for an object.
func TestAnObjectThatIsAPipe(t *testing.T) {
	isolate(t)
	dir := realPath(t, t.TempDir())
	require.NoError(t, exec.Command("git", "init", "-q", dir).Run())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("text\n"), 0o644))
	add := exec.Command("git", "add", "-A")
	add.Dir = dir
	require.NoError(t, add.Run())
	objects, err := filepath.Glob(filepath.Join(dir, ".git", "objects", "??", "*"))
	require.NoError(t, err)
	require.Len(t, objects, 1)
	require.NoError(t, os.Remove(objects[0]))
	require.NoError(t, syscall.Mkfifo(objects[0], 0o600))
	r, err := repo.Open(dir, dir, none)
	require.NoError(t, err)
	staged, err := r.Staged()
	require.NoError(t, err)
	_, err = fs.ReadFile(staged, "a.md")
	require.ErrorContains(t, err, "is a pipe or a device")
}
