package spool

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/gofrs/flock"
)

// Start starts a worker, a program that calls [Drain] for this folder, unless one is
// running or there is no such folder yet. It does not wait for it: it is for processes that end soon. The
// worker's working folder is the spool, so that it keeps no other file system busy; relative
// paths among its arguments start there.
func Start(dir, program string, args ...string) error {
	lock := newLock(dir)
	free, err := lock.TryLock()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || !free {
		return err
	}
	if err := lock.Close(); err != nil {
		return err
	}
	_, err = StartDetached(dir, program, args...) // this process ends soon
	return err
}

// newLock returns the lock of a running worker.
func newLock(dir string) *flock.Flock {
	return flock.New(lockName(dir), flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDONLY|syscall.O_NONBLOCK)) // a pipe would block
}
