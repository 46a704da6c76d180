// Package atomicfile replaces files so that a reader, a crash or another writer
// sees the old text or the new one, whole, and no writer undoes what another one
// has written since the text was read.
//
// Replace is a compare-and-swap: the caller hands over the text that it has read
// and worked on, and the file is only touched if it still holds exactly that.
// Programs of this module exclude each other by a lock besides; an editor that
// knows nothing of the lock is caught by the comparison.
//
// The lock is a file of its own in the user's cache folder (or, without one, in
// the folder for temporary files), named by a hash of the locked path, so
// nothing is left behind in the repository.
package atomicfile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// ErrChanged is returned if the file no longer holds the text it is to replace.
var ErrChanged = errors.New("the file has been changed by someone else meanwhile")

// lockPatience is how long Replace waits for another writer.
const lockPatience = 10 * time.Second

// Replace writes data to the named file if it still holds base, else it returns
// ErrChanged. The mode of the file is kept. Symbolic links are followed by the
// caller: the name must be that of a regular file. Equal texts write nothing.
func Replace(name string, base, data []byte) (err error) {
	if bytes.Equal(base, data) {
		return nil
	}
	unlock, err := lock(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	mode, err := check(name, base)
	if err != nil {
		return err
	}
	return swap(name, data, mode)
}

// check compares the file with base and returns the mode for the new file.
func check(name string, base []byte) (fs.FileMode, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("%s is no regular file: refusing to replace it", name)
	}
	// A file that may not be written must not be replaced behind its back.
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	if err := f.Close(); err != nil {
		return 0, err
	}
	now, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	if !bytes.Equal(now, base) {
		return 0, ErrChanged
	}
	return info.Mode().Perm(), nil
}

// swap puts data in the place of the file: a temporary file beside it, written
// through to the disk, renamed over it.
func swap(name string, data []byte, mode fs.FileMode) (err error) {
	prefix := "." + filepath.Base(name) + ".tmp-"
	if err := removeStale(filepath.Dir(name), prefix); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(name), prefix+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreNotExist(os.Remove(temp.Name())))
		}
	}()
	_, err = temp.Write(data)
	err = errors.Join(err, temp.Chmod(mode), temp.Sync(), temp.Close())
	if err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), name); err != nil {
		return err
	}
	syncFolder(filepath.Dir(name))
	return nil
}

// removeStale takes away what a writer that was killed has left. The lock is
// held, so none of these files is in use.
func removeStale(folder, prefix string) error {
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), prefix) {
			err = errors.Join(err, ignoreNotExist(os.Remove(filepath.Join(folder, entry.Name()))))
		}
	}
	return err
}

// syncFolder makes the rename durable where the system can. Not all can open a
// folder; the rename is atomic all the same.
func syncFolder(name string) {
	if folder, err := os.Open(name); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}

func ignoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// lock excludes other writers of the named file until unlock is called.
func lock(name string) (unlock func() error, err error) {
	folder, err := lockFolder()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(abs))
	l := flock.New(filepath.Join(folder, hex.EncodeToString(sum[:8])+".lock"), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	if _, err := l.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("lock %s: another process has been writing it for %s; try again", name, lockPatience)
		}
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	return l.Close, nil
}

// lockFolder is a private folder that all programs of one user share.
func lockFolder() (string, error) {
	folder, err := os.UserCacheDir()
	if err == nil {
		folder = filepath.Join(folder, "whence", "locks")
		err = os.MkdirAll(folder, 0o700)
	}
	if err != nil {
		folder = filepath.Join(os.TempDir(), fmt.Sprintf("whence-locks-%d", os.Getuid()))
		err = os.MkdirAll(folder, 0o700)
	}
	return folder, err
}
