package spool_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/spool"
)

// asNobody runs a function as the owner of a folder, a user other than root, so that modes
// of files count.
func asNobody(t *testing.T, dir string, run func()) {
	t.Helper()
	const nobody = 65534
	for folder := dir; os.Geteuid() == 0 && folder != os.TempDir(); folder = filepath.Dir(folder) {
		require.NoError(t, os.Chown(folder, nobody, nobody))
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if os.Geteuid() == 0 {
			runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
			_ = syscall.Setfsuid(nobody)
		}
		run()
	}()
	<-done
}

// In a read-only spool no job is accepted, and none is done: it could not be removed, and
// would be done again and again.
func TestAFolderThatMayNotBeWritten(t *testing.T) {
	dir := filled(t, "one")
	_, err := os.Create(filepath.Join(dir, ".lock"))
	require.NoError(t, err)
	require.NoError(t, os.Chmod(filepath.Join(dir, ".lock"), 0o644))
	require.NoError(t, os.Chmod(dir, 0o500))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	var adding, draining error
	var tried []string
	asNobody(t, dir, func() {
		adding = spool.Add(dir, "", []byte("two"))
		tried, _, draining = drain(dir, succeed)
	})
	require.ErrorIs(t, adding, os.ErrPermission)
	require.ErrorContains(t, adding, dir)
	require.ErrorIs(t, draining, os.ErrPermission)
	require.ErrorContains(t, draining, dir)
	require.Empty(t, tried)
	require.NoError(t, os.Chmod(dir, 0o700))
	requireDone(t, dir, "one")
}
