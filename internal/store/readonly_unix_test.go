//go:build unix

package store_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/test/repotest"
)

// nobody is a user for whom modes of files count, as they do not for root.
const nobody = 65534

// unprivileged runs a job of the test binary as a user for whom modes of files count,
// who may read what lies in dir.
func unprivileged(t *testing.T, job, dir string, args ...string) ([]byte, error) {
	t.Helper()
	cmd := repotest.NewJob(job, dir, args...)
	if os.Geteuid() != 0 {
		return cmd.CombinedOutput()
	}
	for parent := filepath.Dir(dir); parent != os.TempDir() && parent != filepath.Dir(parent); parent = filepath.Dir(parent) {
		require.NoError(t, os.Chmod(parent, 0o755))
	}
	program := filepath.Join(filepath.Dir(dir), "program") // the test binary lies in a folder of root
	if _, err := os.Stat(program); err != nil {
		in, err := os.Open(os.Args[0])
		require.NoError(t, err)
		defer in.Close()
		out, err := os.OpenFile(program, os.O_CREATE|os.O_WRONLY, 0o755)
		require.NoError(t, err)
		_, err = io.Copy(out, in)
		require.NoError(t, err)
		require.NoError(t, out.Close())
	}
	require.NoError(t, filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
		require.NoError(t, err)
		return os.Lchown(name, nobody, nobody)
	}))
	cmd.Path, cmd.Args[0], cmd.Dir = program, program, filepath.Dir(dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if _, ran := err.(*exec.ExitError); err != nil && !ran {
		t.Skipf("no program can be run as another user here: %v", err)
	}
	return out, err
}

func TestAStoreThatCannotBeWrittenIsSearched(t *testing.T) {
	for name, modes := range map[string][2]os.FileMode{
		"folder":          {0o500, 0o600},
		"file":            {0o700, 0o400},
		"folder and file": {0o500, 0o400},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "store")
			s := open(t, dir)
			_, err := s.Put(context.Background(), learned(said), store.Observation{})
			require.NoError(t, err)
			require.NoError(t, s.Close())
			require.NoError(t, os.Chmod(file(dir), modes[1]))
			require.NoError(t, os.Chmod(dir, modes[0]))
			t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
			before := content(t, dir)
			out, err := unprivileged(t, "search", dir, "responses")
			require.NoError(t, err, "%s", out)
			require.Equal(t, before, content(t, dir))
			out, err = unprivileged(t, "same", dir, "0")
			require.Error(t, err)
			require.Contains(t, string(out), file(dir))
			require.Equal(t, before, content(t, dir))
		})
	}
}
