package worktree

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockPause     = 2 * time.Millisecond // between attempts to get a lock
	writePatience = 10 * time.Second     // how long a write waits for other writers
)

// Lock locks a file, which it creates if it is missing, and waits while another process holds the lock. The lock is
// released when its process ends.
func Lock(ctx context.Context, name string) (unlock func() error, err error) {
	return wait(ctx, newLock(name, os.O_CREATE))
}

// TryLock is Lock without waiting: unlock and err are nil if another process holds the lock.
func TryLock(name string) (unlock func() error, err error) {
	lock := newLock(name, os.O_CREATE)
	free, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	if !free {
		return nil, lock.Close()
	}
	return lock.Close, nil
}

// LockFolder is Lock for a folder. It creates nothing in the folder. Where folders cannot be locked, it locks a file in
// the user's cache instead.
func LockFolder(ctx context.Context, name string) (unlock func() error, err error) {
	unlock, err = wait(ctx, newLock(name, 0))
	if err == nil || !isUnsupported(err) {
		return unlock, err
	}
	cache, noCache := os.UserCacheDir()
	if noCache != nil {
		return nil, err
	}
	locks := filepath.Join(cache, "whence", "locks")
	if err := os.MkdirAll(locks, 0o700); err != nil {
		return nil, err
	}
	return Lock(ctx, filepath.Join(locks, fmt.Sprintf("%x.lock", sha256.Sum256([]byte(name)))))
}

// isUnsupported reports whether an error means that folders cannot be locked, as on Windows, and on network file
// systems that lock only files open for writing. After other errors LockFolder must not lock a file, or two processes
// could hold locks of two kinds.
func isUnsupported(err error) bool {
	isKind := func(kind error) bool { return errors.Is(err, kind) }
	return runtime.GOOS == "windows" && !isKind(fs.ErrNotExist) && !isKind(context.DeadlineExceeded) && !isKind(context.Canceled) ||
		slices.ContainsFunc([]error{errors.ErrUnsupported, syscall.EBADF, syscall.EISDIR, syscall.EINVAL, syscall.ENOLCK}, isKind)
}

func newLock(name string, flag int) *flock.Flock {
	return flock.New(name, flock.SetPermissions(0o600), flock.SetFlag(flag|os.O_RDONLY|syscall.O_NONBLOCK)) // a pipe would block
}

func wait(ctx context.Context, lock *flock.Flock) (unlock func() error, err error) {
	if _, err := lock.TryLockContext(ctx, lockPause); err != nil {
		return nil, fmt.Errorf("lock %s: %w", lock.Path(), errors.Join(err, lock.Close()))
	}
	return lock.Close, nil
}

// locked calls a function while holding the lock on a folder, so that no other process of this module writes in it.
func locked(folder string, run func() error) (err error) {
	folder, err = filepath.Abs(folder)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), writePatience)
	defer cancel()
	unlock, err := LockFolder(ctx, folder)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("another process has been writing in %s for %s: try again", folder, writePatience)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return run()
}
