package worktree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrChanged is returned if a file no longer holds the text that was read.
var ErrChanged = errors.New("another program has changed the file meanwhile: try again")

// maxAttempts is the maximum number of attempts at a change. Each time one fails, another process has succeeded.
const maxAttempts = 200

// Retry calls a function that reads files and replaces them, and calls it again while it returns ErrChanged, at most
// maxAttempts times. Nothing else in this package retries a change.
func Retry(change func() error) error {
	for attempt := 1; ; attempt++ {
		if err := change(); !errors.Is(err, ErrChanged) || attempt == maxAttempts {
			return err
		}
	}
}

// Replace replaces the text of a file. It returns ErrChanged unless the file holds the text before. If before is nil,
// it creates the file, which must not exist, and its folder; if after is nil, it removes the file. It follows links as
// FS does, but never removes one.
//
// Readers see the whole old text or the whole new one, even after a crash. Mode and owner are kept. If the texts are
// equal, nothing is written. Programs of this module exclude each other by a lock on the folder. Editors ignore the
// lock, so their changes can be overwritten in the microseconds between comparing and renaming.
func (t *Tree) Replace(name string, before, after []byte) error {
	if bytes.Equal(before, after) && (before == nil) == (after == nil) {
		return nil
	}
	last, perm := followLast, fs.FileMode(0)
	if before == nil {
		last, perm = keepLast, 0o777
	}
	p, err := t.lookup("write", name, last, perm)
	if err != nil {
		return err
	}
	root := p.folder.root
	return locked(root.Name(), func() error { return named(root, swap(root, p.base, before, after)) })
}

// swap is Replace in an open folder, without a lock.
func swap(root *os.Root, name string, before, after []byte) error {
	info, err := compare(root, name, before)
	if err != nil {
		return err
	}
	if after == nil {
		return root.Remove(name)
	}
	perm := fs.FileMode(0o600)
	if info == nil {
		perm = 0o644
	}
	return overwrite(root, name, after, perm, func(file *os.File) error {
		if info != nil {
			keepOwner(file, info)
			if err := file.Chmod(info.Mode().Perm()); err != nil {
				return err
			}
		}
		if err := file.Sync(); err != nil {
			return err
		}
		_, err := compare(root, name, before) // again: an editor may have saved during the milliseconds of the sync
		return err
	})
}

// compare returns ErrChanged unless a regular file holds a text or, if the text is nil, unless there is no file. It
// fails for a read-only file, which a rename would replace.
func compare(root *os.Root, name string, text []byte) (fs.FileInfo, error) {
	if text == nil {
		_, err := root.Lstat(name)
		if err == nil {
			err = ErrChanged
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, err
	}
	file, err := openRegular(root, name, os.O_RDWR, 0)
	if errors.Is(err, errNotRegular) {
		return nil, fmt.Errorf("%s is not a regular file: refusing to replace it", filepath.Join(root.Name(), name))
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	now, err := io.ReadAll(file)
	if err == nil && !bytes.Equal(now, text) {
		err = ErrChanged
	}
	return info, err
}

// named puts the full path into an error about a file in a folder.
func named(root *os.Root, err error) error {
	if about, is := err.(*fs.PathError); is && !filepath.IsAbs(about.Path) {
		return &fs.PathError{Op: about.Op, Path: filepath.Join(root.Name(), about.Path), Err: about.Err}
	}
	return err
}

// WritePrivate writes a file atomically, with permissions for its owner only, whatever was there before. It creates the
// folder if it is missing.
func WritePrivate(name string, data []byte) error {
	return UpdatePrivate(name, func() ([]byte, error) { return data, nil })
}

// UpdatePrivate is WritePrivate with a text that a function returns. While the function reads the folder, no other
// process of this module writes there. After a loss of power, the file may be empty.
func UpdatePrivate(name string, edit func() ([]byte, error)) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return locked(dir, func() error {
		data, err := edit()
		if err != nil {
			return err
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			return err
		}
		defer root.Close()
		return named(root, overwrite(root, filepath.Base(name), data, 0o600, nil))
	})
}

// maxTempBytes is the length to which a name is cut for the name of its temporary file: most systems allow 255 bytes.
const maxTempBytes = 240

// overwrite replaces or creates a file: readers see the whole old text or the whole new one. Finish, if not nil,
// completes the new file before it gets its name. The caller holds the lock.
func overwrite(root *os.Root, name string, data []byte, perm fs.FileMode, finish func(*os.File) error) error {
	// Always the same name, so that the next write replaces what a killed process left.
	temp := "." + strings.ToValidUTF8(name[:min(len(name), maxTempBytes)], "") + ".whence-new"
	if err := root.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil && finish != nil {
		err = finish(file)
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		_ = root.Remove(temp)
	}
	return err
}
