package worktree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// Folder is a folder at the root of a tree. Neither the folder nor a file that is opened in it may be a link.
type Folder struct {
	name string
	*os.Root
}

// Folder opens a folder at the root of the tree. If the folder is missing and perm is not 0, it is created.
func (t *Tree) Folder(name string, perm fs.FileMode) (*Folder, error) {
	p, err := t.lookup("open", name, keepLast, perm)
	if err == nil && p.info == nil {
		if err := p.folder.root.Mkdir(name, perm); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		p, err = t.lookup("open", name, keepLast, 0)
	}
	if err != nil {
		return nil, err
	}
	if !p.info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("it is a link, or not a folder")}
	}
	f, err := t.enter(p.folder, p.base, p.info)
	if err == nil && f.isGit {
		err = ErrGit
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: cause(err)}
	}
	return &Folder{name, f.root}, nil
}

// Write writes a file atomically, with permissions for its owner only. The caller holds the lock.
func (f *Folder) Write(name string, data []byte) error {
	return overwrite(f.Root, name, data, 0o600, nil)
}

// OpenFile opens a regular file as os.OpenFile does. The flag must not have os.O_TRUNC.
func (f *Folder) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	file, err := openRegular(f.Root, name, flag, perm)
	if errors.Is(err, errNotRegular) {
		err = fmt.Errorf("%s is a link, or not a regular file: remove it, and a new file is made", path.Join(f.name, name))
	}
	return file, err
}
