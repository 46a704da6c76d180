package worktree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// Folder is a folder of a tree with files that only this program writes: no link is followed
// on the way to it or in it. The names of its files have no slashes.
type Folder struct {
	name string
	*folder
}

// Folder opens a folder without following any link.
func (t *Tree) Folder(name string) (*Folder, error) {
	p, err := t.lookup("open", name, followNone)
	if err != nil {
		return nil, err
	}
	if p.info.Mode()&fs.ModeSymlink != 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("it is a link, and none is followed here")}
	}
	if !p.info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNoFolder}
	}
	f, err := t.enter(p)
	if err == nil && f.isGit {
		err = ErrGit
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: cause(err)}
	}
	return &Folder{name, f}, nil
}

// Lstat describes a file, a folder, or a link itself.
func (f *Folder) Lstat(name string) (fs.FileInfo, error) { return f.root.Lstat(name) }

// Remove removes a file, an empty folder, or a link itself.
func (f *Folder) Remove(name string) error { return f.root.Remove(name) }

// Rename renames a regular file, and replaces a file that has the new name.
func (f *Folder) Rename(from, to string) error {
	if _, err := f.regular(from); err != nil {
		return err
	}
	return f.root.Rename(from, to)
}

// Write writes a file that only the user may read, whole or not at all. The caller holds the lock.
func (f *Folder) Write(name string, data []byte) error { return overwrite(f.root, name, data) }

// OpenFile opens a regular file as os.OpenFile does. It does not allow os.O_TRUNC, because the file
// is checked after it is opened.
func (f *Folder) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	if flag&os.O_TRUNC != 0 {
		return nil, &fs.PathError{Op: "open", Path: f.at(name), Err: fs.ErrInvalid}
	}
	info, err := f.regular(name)
	if errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0 {
		return f.root.OpenFile(name, flag|os.O_EXCL, perm) // which follows no link
	}
	if err != nil {
		return nil, err
	}
	file, err := target{f.folder, f.name, name, info}.open(flag&^os.O_CREATE, perm)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: f.at(name), Err: err}
	}
	return file, nil
}

// regular describes a regular file; any other is an error.
func (f *Folder) regular(name string) (fs.FileInfo, error) {
	info, err := f.root.Lstat(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: f.at(name), Err: cause(err)}
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a link: remove it, and a new file is made", f.at(name))
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file: rename it, and a new one is made", f.at(name))
	}
	return info, nil
}

func (f *Folder) at(name string) string { return path.Join(f.name, name) }
