package dispatch_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
)

// A file of the repository is known by its path from the root, by whatever links it and the
// root are reached.
func TestFromRoot(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	repotest.ClaimHome(t, dir)
	root, link := filepath.Join(dir, "root"), filepath.Join(dir, "link")
	require.NoError(t, exec.Command("git", "init", "-q", root).Run())
	require.NoError(t, os.MkdirAll(filepath.Join(root, "a"), 0o755))
	if err := os.Symlink(root, link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	outside := filepath.Join(dir, "other", "x.md")
	for _, cwd := range []string{root, link, filepath.Join(root, "a"), filepath.Join(link, "a")} {
		r, err := dispatch.Open(cli.Env{Dir: cwd, Getenv: func(name string) string { return map[string]string{"WHENCE_HOME": dir}[name] }}, agent.Event{Cwd: cwd}, time.Now())
		require.NoError(t, err)
		for _, path := range []string{filepath.Join(root, "a", "new.md"), filepath.Join(link, "a", "new.md")} {
			require.Equal(t, "a/new.md", r.FromRoot(path), "%s in %s", path, cwd)
		}
		require.Equal(t, filepath.ToSlash(outside), r.FromRoot(outside))
		require.NoError(t, r.Close())
	}
}
