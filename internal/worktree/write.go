package worktree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrChanged is returned if a file no longer holds the text that was read.
var ErrChanged = errors.New("the file has been changed by someone else meanwhile")

// maxAttempts is how often a change starts again. Each time, another process has succeeded.
const maxAttempts = 200

// Retry calls a function that reads files and replaces them, and calls it again while it returns
// ErrChanged.
func Retry(change func() error) error {
	for attempt := 1; ; attempt++ {
		if err := change(); !errors.Is(err, ErrChanged) || attempt == maxAttempts {
			return err
		}
	}
}

// Update changes a text file: edit gets its text, and returns the new one; nil if there is none. If
// another process changes the file, edit is called again.
func (t *Tree) Update(name string, edit func(before []byte) (after []byte, err error)) error {
	return Retry(func() error {
		before, err := ReadText(t.FS(), name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		after, err := edit(before)
		if err != nil {
			return err
		}
		return t.Replace(name, before, after)
	})
}

// Replace writes the text after to a file that holds the text before, else it returns ErrChanged.
// Without a text before, nil, it makes the file and its folder; without one after, it removes the
// file. It follows links as FS does, but removes none.
//
// Readers see the old text or the new one, whole, even after a crash. Mode and owner stay. Equal
// texts write nothing. Programs of this module exclude each other by a lock on the folder; an
// editor, which ignores it, can be overwritten in the microseconds between comparing and renaming.
func (t *Tree) Replace(name string, before, after []byte) error {
	if bytes.Equal(before, after) && (before == nil) == (after == nil) {
		return nil
	}
	follow, perm := followAll, fs.FileMode(0)
	if before == nil {
		follow, perm = followParents, 0o777
	}
	p, err := t.lookupOrMake("write", name, follow, perm)
	if err != nil {
		return err
	}
	return locked(p.folder.root.Name(), func() error { return swap(p.folder.root, p.base, before, after) })
}

// swap is Replace in an opened folder, without a lock.
func swap(root *os.Root, name string, before, after []byte) (err error) {
	defer func() { err = named(root, err) }()
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
	temp, err := writeTemp(root, name, after, perm, func(file *os.File) error {
		if info == nil {
			return file.Sync()
		}
		keepOwner(file, info)
		return errors.Join(file.Chmod(info.Mode().Perm()), file.Sync())
	})
	if err != nil {
		return err
	}
	// Writing to the disk takes milliseconds, in which an editor may save.
	if _, err = compare(root, name, before); err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(temp))
	}
	syncFolder(root)
	return nil
}

// compare returns ErrChanged unless a regular file, which may be written, holds a text; or if that is
// nil, unless there is no file. A rename would replace even a read-only file.
func compare(root *os.Root, name string, text []byte) (fs.FileInfo, error) {
	info, err := root.Lstat(name)
	if text == nil && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if text == nil {
		return nil, ErrChanged
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file: refusing to replace it", filepath.Join(root.Name(), name))
	}
	file, err := root.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	now, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	if !bytes.Equal(now, text) {
		return nil, ErrChanged
	}
	return info, nil
}

// writeTemp writes a file beside the named one and returns its name. That is always the same: a killed
// process leaves one, which the next write replaces.
func writeTemp(root *os.Root, name string, data []byte, perm fs.FileMode, finish func(*os.File) error) (temp string, err error) {
	temp = "." + name + ".whence-new"
	if err := root.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	file, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return "", err
	}
	_, err = file.Write(data)
	if err == nil {
		err = finish(file)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, root.Remove(temp))
	}
	return temp, nil
}

// syncFolder makes a rename durable on systems that can open a folder. It is atomic on all.
func syncFolder(root *os.Root) {
	if file, err := root.Open("."); err == nil {
		_ = file.Sync()
		_ = file.Close()
	}
}

// named puts the whole path into an error about a file in a folder.
func named(root *os.Root, err error) error {
	if about, is := err.(*fs.PathError); is && !filepath.IsAbs(about.Path) {
		return &fs.PathError{Op: about.Op, Path: filepath.Join(root.Name(), about.Path), Err: about.Err}
	}
	return err
}

// WritePrivate writes a file that only the user may read, whole or not at all, whatever was there
// before. It makes the folder if it is missing.
func WritePrivate(name string, data []byte) error {
	return UpdatePrivate(name, func() ([]byte, error) { return data, nil })
}

// UpdatePrivate is WritePrivate with a text that a function makes of what is in the folder, while no
// other process of this module writes there.
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
		return overwriteAt(name, data)
	})
}

func overwriteAt(name string, data []byte) error {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer root.Close()
	return named(root, overwrite(root, filepath.Base(name), data))
}

// overwrite writes a private file, whatever was there before. Readers see one of the two texts; after a
// loss of power, the file may be empty.
func overwrite(root *os.Root, name string, data []byte) error {
	temp, err := writeTemp(root, name, data, 0o600, func(*os.File) error { return nil })
	if err != nil {
		return err
	}
	if err := root.Rename(temp, name); err != nil {
		return errors.Join(err, root.Remove(temp))
	}
	return nil
}

// MakeFolders makes a folder and its parents if they are missing. Other processes may do so at the
// same time.
func (t *Tree) MakeFolders(name string, perm fs.FileMode) error {
	p, err := t.lookupOrMake("mkdir", name, followAll, perm)
	if err != nil {
		return err
	}
	if p.info == nil {
		if err := p.folder.root.Mkdir(p.base, perm); !errors.Is(err, fs.ErrExist) {
			return err
		}
		p, err = t.lookup("mkdir", name, followAll)
	}
	if err == nil && !p.info.IsDir() {
		err = &fs.PathError{Op: "mkdir", Path: name, Err: errNoFolder}
	}
	return err
}

// RemoveFolder removes an empty folder. A link to one stays.
func (t *Tree) RemoveFolder(name string) error {
	p, err := t.lookup("remove", name, followParents)
	if err != nil {
		return err
	}
	if !p.info.IsDir() {
		return &fs.PathError{Op: "remove", Path: name, Err: errNoFolder}
	}
	return p.folder.root.Remove(p.base)
}

// errNoFolder is returned for a file in the place of a folder.
var errNoFolder = errors.New("it is not a folder")
