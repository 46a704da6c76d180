package spool

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/gofrs/flock"
)

// Start starts a worker, a program that calls [Drain] or [Claim] for this folder, unless one is
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

// Claim makes this process the worker of a folder until it calls release, for work that has no jobs.
// It returns ErrBusy if another worker is running.
func Claim(dir string) (release func() error, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	lock := newLock(dir)
	free, err := lock.TryLock()
	if err == nil && !free {
		err = ErrBusy
	}
	if err != nil {
		return nil, err
	}
	return lock.Close, nil
}

// newLock returns the lock of a running worker.
func newLock(dir string) *flock.Flock {
	return flock.New(lockName(dir), flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDONLY|syscall.O_NONBLOCK)) // a pipe would block
}
