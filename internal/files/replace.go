// Package files replaces files atomically, reads text from any tree, and keeps logs that
// many processes write within bounds.
//
// [Replace] is a compare-and-swap: the caller passes the text that it has read, and the
// file is changed only if it still holds exactly that. A reader sees the old text or the
// new one, whole, even after a crash. Programs of this module also exclude each other by a
// lock. An editor that ignores the lock is caught by the comparison, except in the
// microseconds between the last comparison and the rename.
//
// The lock is on the folder of the file, so it works in any environment and leaves nothing
// behind. Where a folder cannot be locked (on Windows, on some network file systems), the
// lock is a file in the user's cache folder or in the folder for temporary files.
package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// ErrChanged is returned if the file no longer holds the text that was read.
var ErrChanged = errors.New("the file has been changed by someone else meanwhile")

// staleAfter is the age at which no writer can still be using a temporary file.
const staleAfter = time.Minute

// lockPatience is how long Replace waits for another writer.
const lockPatience = 10 * time.Second

// Replace writes data to a regular file if it still holds base, else it returns
// ErrChanged. Mode and owner of the file are kept. Symbolic links are refused. Equal texts
// write nothing.
func Replace(name string, base, data []byte) error {
	return inFolder(name, func(folder *os.Root, entry string) error { return ReplaceIn(folder, entry, base, data) })
}

// ReplaceIn is Replace for a file in an opened folder. It follows no link and touches
// nothing outside of the folder, whatever others do to the names meanwhile.
func ReplaceIn(folder *os.Root, name string, base, data []byte) error {
	if bytes.Equal(base, data) {
		if left, err := leftovers(folder, name); err == nil && len(left) > 0 {
			_ = locked(folder, name, func() error { return nil }) // nothing need be written
		}
		return nil
	}
	return change(folder, name, base, func(original fs.FileInfo) error {
		temp, err := writeTemp(folder, name, data, original.Mode().Perm(), original)
		if err != nil {
			return err
		}
		// Writing to the disk takes milliseconds, in which an editor may save.
		if err = compare(folder, name, base); err == nil {
			err = folder.Rename(temp, name)
		}
		if err != nil {
			err = errors.Join(err, ignoreNotExist(folder.Remove(temp)))
		}
		return err
	})
}

// RemoveIn removes a file of an opened folder if it still holds base, else it returns
// ErrChanged. It follows no link.
func RemoveIn(folder *os.Root, name string, base []byte) error {
	return change(folder, name, base, func(fs.FileInfo) error { return folder.Remove(name) })
}

// change locks a file that holds base, and runs a function that changes it.
func change(folder *os.Root, name string, base []byte, run func(original fs.FileInfo) error) error {
	if _, err := folder.Lstat(name); err != nil {
		return named(folder, err)
	}
	return locked(folder, name, func() error {
		original, err := check(folder, name, base)
		if err != nil {
			return err
		}
		return run(original)
	})
}

// locked locks a file, removes what killed writers of it have left, and runs a function that
// changes it.
func locked(folder *os.Root, name string, run func() error) (err error) {
	defer func() { err = named(folder, err) }()
	unlock, alone, err := lock(filepath.Join(folder.Name(), name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := removeStale(folder, name, alone); err != nil {
		return err
	}
	if err := run(); err != nil {
		return err
	}
	syncFolder(folder)
	return nil
}

// Create writes a new file with mode 0644, or returns fs.ErrExist. It writes the file whole
// or not at all, except on file systems without hard links, where a crash can leave a part.
func Create(name string, data []byte) error {
	return inFolder(name, func(folder *os.Root, entry string) error { return CreateIn(folder, entry, data) })
}

// CreateIn is Create for a file in an opened folder.
func CreateIn(folder *os.Root, name string, data []byte) error {
	return locked(folder, name, func() error { return create(folder, name, data, 0o644) })
}

func create(folder *os.Root, name string, data []byte, mode fs.FileMode) (err error) {
	temp, err := writeTemp(folder, name, data, mode, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ignoreNotExist(folder.Remove(temp))) }()
	err = folder.Link(temp, name) // unlike a rename, it replaces nothing
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = createInPlace(folder, name, data, mode)
	}
	return err
}

// WritePrivate writes a file that only the user may read, whole or not at all, whatever was
// there before. It takes no lock, and makes the folder if it is missing.
func WritePrivate(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return private(name, func(folder *os.Root, entry string) error {
		temp, err := writeTemp(folder, entry, data, 0o600, nil)
		if err != nil {
			return err
		}
		if err = folder.Rename(temp, entry); err != nil {
			err = errors.Join(err, folder.Remove(temp))
		}
		return err
	})
}

// private runs a function that writes a file without a lock, after removing what is too old to
// be in use.
func private(name string, run func(folder *os.Root, entry string) error) error {
	return inFolder(name, func(folder *os.Root, entry string) error {
		if err := removeStale(folder, entry, false); err != nil {
			return err
		}
		return named(folder, run(folder, entry))
	})
}

// inFolder runs a function with the opened folder of a file.
func inFolder(name string, run func(folder *os.Root, entry string) error) (err error) {
	if name, err = filepath.Abs(name); err != nil {
		return err
	}
	folder, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		if about := (*fs.PathError)(nil); errors.As(err, &about) {
			err = &fs.PathError{Op: about.Op, Path: name, Err: about.Err}
		}
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	return run(folder, filepath.Base(name))
}

// named puts the whole path into an error of a file in a folder.
func named(folder *os.Root, err error) error {
	if about, is := err.(*fs.PathError); is && !filepath.IsAbs(about.Path) {
		return &fs.PathError{Op: about.Op, Path: filepath.Join(folder.Name(), about.Path), Err: about.Err}
	}
	return err
}

// tempPrefix begins the names of temporary files for a file.
func tempPrefix(name string) string { return "." + name + ".whence-" }

// writeTemp writes data to a new file beside the named one, with the owner of original unless
// that is nil, and returns its unique name.
func writeTemp(folder *os.Root, name string, data []byte, mode fs.FileMode, original fs.FileInfo) (temp string, err error) {
	var file *os.File
	for range 100 {
		temp = tempPrefix(name) + strconv.FormatUint(uint64(rand.Uint32()), 10)
		file, err = folder.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if about := (*fs.PathError)(nil); errors.As(err, &about) {
		err = &fs.PathError{Op: about.Op, Path: name, Err: about.Err}
	}
	if err != nil {
		return "", err
	}
	if original != nil {
		keepOwner(file, original)
	}
	if err := fill(file, data, mode); err != nil {
		return "", errors.Join(err, ignoreNotExist(folder.Remove(temp)))
	}
	return temp, nil
}

// createInPlace is Create where there are no hard links.
func createInPlace(folder *os.Root, name string, data []byte, mode fs.FileMode) error {
	f, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if err := fill(f, data, mode); err != nil {
		return errors.Join(err, folder.Remove(name))
	}
	return nil
}

// fill writes the text of a new file, syncs and closes it.
func fill(f *os.File, data []byte, mode fs.FileMode) error {
	_, err := f.Write(data)
	return errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
}

// check checks that the file holds base and may be written. It returns its mode and owner.
func check(folder *os.Root, name string, base []byte) (fs.FileInfo, error) {
	info, err := folder.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file: refusing to replace it", filepath.Join(folder.Name(), name))
	}
	// A rename would replace even a read-only file.
	f, err := folder.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	return info, compare(folder, name, base)
}

// compare returns ErrChanged if the file does not hold base.
func compare(folder *os.Root, name string, base []byte) error {
	now, err := folder.ReadFile(name)
	if err == nil && !bytes.Equal(now, base) {
		err = ErrChanged
	}
	return err
}

// leftovers returns the temporary files of a file: of writers that were killed, or that are at
// work. A file with such a name does not count if it is not regular, or not this user's.
func leftovers(folder *os.Root, name string) (left []fs.FileInfo, err error) {
	entries, err := fs.ReadDir(folder.FS(), ".")
	for _, entry := range entries {
		number, isTemp := strings.CutPrefix(entry.Name(), tempPrefix(name))
		if !isTemp || strings.Trim(number, "0123456789") != "" || number == "" {
			continue
		}
		if info, gone := entry.Info(); gone == nil && info.Mode().IsRegular() && isMine(info) {
			left = append(left, info)
		}
	}
	return left, err
}

// removeStale removes the temporary files of killed writers: all of them if no other
// writer can be running, else those that are too old to be in use.
func removeStale(folder *os.Root, name string, alone bool) error {
	left, err := leftovers(folder, name)
	for _, info := range left {
		if alone || time.Since(info.ModTime()) > staleAfter {
			err = errors.Join(err, ignoreNotExist(folder.Remove(info.Name())))
		}
	}
	return err
}

// syncFolder makes a rename durable on systems that can open a folder. It is atomic on all.
func syncFolder(folder *os.Root) {
	if f, err := folder.Open("."); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}

func ignoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// lock excludes other writers of a file until unlock is called. alone means that the lock
// is on the folder; processes in other environments may lock another file.
func lock(name string) (unlock func() error, alone bool, err error) {
	if name, err = filepath.Abs(name); err != nil {
		return nil, false, err
	}
	unlock, err = acquire(flock.New(filepath.Dir(name), flock.SetFlag(os.O_RDONLY)))
	if err == nil || errors.Is(err, errBusy) {
		return unlock, true, wrapLock(name, err)
	}
	sum := sha256.Sum256([]byte(name))
	for _, folder := range lockFolders() {
		if err = os.MkdirAll(folder, 0o700); err != nil {
			continue
		}
		file := filepath.Join(folder, hex.EncodeToString(sum[:8])+".lock")
		unlock, err = acquire(flock.New(file, flock.SetPermissions(0o600)))
		if err == nil || errors.Is(err, errBusy) {
			break
		}
	}
	return unlock, false, wrapLock(name, err)
}

// errBusy is returned if another process holds the lock for longer than lockPatience.
var errBusy = fmt.Errorf("another process has been writing for %s; try again", lockPatience)

func acquire(l *flock.Flock) (unlock func() error, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	_, err = l.TryLockContext(ctx, 5*time.Millisecond)
	if errors.Is(err, context.DeadlineExceeded) {
		err = errBusy
	}
	return l.Close, err
}

func wrapLock(name string, err error) error {
	if err != nil {
		return fmt.Errorf("lock %s: %w", name, err)
	}
	return nil
}

// lockFolders returns private folders that all programs of a user share.
func lockFolders() []string {
	folders := []string{filepath.Join(os.TempDir(), fmt.Sprintf("whence-locks-%d", os.Getuid()))}
	if cache, err := os.UserCacheDir(); err == nil {
		folders = append([]string{filepath.Join(cache, "whence", "locks")}, folders...)
	}
	return folders
}
