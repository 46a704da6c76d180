package repo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/repo"
)

func TestRecent(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-C", dir}, args...)...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	git("init", "-q", "-b", "feature/fares")
	r, err := repo.Open(dir, dir, func(string) string { return "" })
	require.NoError(t, err)
	branch, files := r.Recent(t.Context(), 20)
	require.Equal(t, "feature/fares", branch)
	require.Empty(t, files, "there is no commit")
	for _, name := range []string{"a.go", "b ü.go", "c.go", "d.go", "e.go"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("text\n"), 0o644))
		git("add", ".")
		git("commit", "-qm", name)
	}
	_, files = r.Recent(t.Context(), 20)
	require.Equal(t, []string{"e.go", "d.go", "c.go"}, files)
	_, files = r.Recent(t.Context(), 2)
	require.Len(t, files, 2)
	git("checkout", "-q", "--detach")
	branch, _ = r.Recent(t.Context(), 1)
	require.Empty(t, branch)
}
