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

// lockPause is the time between attempts to get a lock.
const lockPause = 2 * time.Millisecond

// Lock locks a file, which it makes, and waits while another process holds the lock. The lock of a
// process that ends is free.
func Lock(ctx context.Context, name string) (unlock func() error, err error) {
	return wait(ctx, name, TryLock)
}

// LockFolder is Lock for a folder. It leaves nothing behind, and works in any environment.
func LockFolder(ctx context.Context, name string) (unlock func() error, err error) {
	return wait(ctx, name, tryLockFolder)
}

func wait(ctx context.Context, name string, try func(name string) (func() error, error)) (unlock func() error, err error) {
	for {
		unlock, err := try(name)
		if unlock != nil || err != nil {
			return unlock, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("lock %s: %w", name, ctx.Err())
		case <-time.After(lockPause):
		}
	}
}

// TryLock is Lock without waiting: unlock is nil if another process holds the lock.
func TryLock(name string) (unlock func() error, err error) {
	return tryLock(name, os.O_CREATE|os.O_RDONLY|syscall.O_NONBLOCK) // a pipe would block
}

// tryLockFolder locks a folder or, where no folder can be locked, a file in the user's cache.
func tryLockFolder(name string) (unlock func() error, err error) {
	unlock, err = tryLock(name, os.O_RDONLY)
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
	return TryLock(filepath.Join(locks, fmt.Sprintf("%x.lock", sha256.Sum256([]byte(name)))))
}

// isUnsupported reports whether folders cannot be locked, as on Windows and on network file systems, which lock
// only what is open for writing. After any other error two processes could hold locks of two kinds.
func isUnsupported(err error) bool {
	return runtime.GOOS == "windows" && !errors.Is(err, fs.ErrNotExist) ||
		errors.Is(err, errors.ErrUnsupported) || slices.ContainsFunc([]error{syscall.EBADF, syscall.EISDIR, syscall.EINVAL, syscall.ENOLCK}, func(no error) bool { return errors.Is(err, no) })
}

func tryLock(name string, flag int) (unlock func() error, err error) {
	lock := flock.New(name, flock.SetPermissions(0o600), flock.SetFlag(flag))
	free, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	if !free || !isCurrent(lock) {
		return nil, lock.Close()
	}
	return lock.Close, nil
}

// isCurrent reports whether the locked file or folder still has its name: another process may have
// replaced it.
func isCurrent(lock *flock.Flock) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	found, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(locked, found)
}

// writePatience is how long a write waits for other writers.
const writePatience = 10 * time.Second

// locked runs a function that writes in a folder while no other process of this module does.
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
