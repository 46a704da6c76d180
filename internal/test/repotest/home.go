package repotest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"whence/internal/home"

	"github.com/stretchr/testify/require"
)

// TempDir is t.TempDir for what a worker that the test has started may still write to: it is removed as soon as it can be.
func TempDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() {
		require.Eventually(t, func() bool { return os.RemoveAll(dir) == nil }, 5*time.Minute, 50*time.Millisecond)
	})
	return dir
}

// Home returns a new folder for the data of a user, who has typed a command there: WHENCE_HOME may
// name it.
func Home(t testing.TB) string {
	t.Helper()
	return ClaimHome(t, filepath.Join(TempDir(t), "store"))
}

// ClaimHome makes a folder one that WHENCE_HOME may name, and returns it.
func ClaimHome(t testing.TB, dir string) string {
	t.Helper()
	require.NoError(t, claim(dir))
	return dir
}

func claim(dir string) error {
	_, err := home.Claim(func(name string) string { return map[string]string{"WHENCE_HOME": dir}[name] })
	return err
}

// NoHome is an environment with one variable, a WHENCE_HOME in which nothing can be stored. Without it programs use the
// folder of the user who runs the tests.
func NoHome(name string) string { return map[string]string{"WHENCE_HOME": os.DevNull}[name] }
