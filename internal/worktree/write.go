package worktree

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"whence/internal/files"
)

// Replace writes data to a file that holds base, as [files.Replace] does. It follows links as FS
// does, and replaces the file that they lead to.
func (t *Tree) Replace(name string, base, data []byte) error {
	p, err := t.lookup("write", name, followAll)
	if err != nil {
		return err
	}
	return files.ReplaceIn(p.folder.root, p.base, base, data)
}

// Create writes a new file in an existing folder, as [files.Create] does.
func (t *Tree) Create(name string, data []byte) error {
	f, base, err := t.parent("create", name)
	if err != nil {
		return err
	}
	return files.CreateIn(f.root, base, data)
}

// Remove removes a file that holds base. It follows links, but does not remove them.
func (t *Tree) Remove(name string, base []byte) error {
	p, err := t.lookup("remove", name, followAll)
	if err != nil {
		return err
	}
	return files.RemoveIn(p.folder.root, p.base, base)
}

// RemoveFolder removes an empty folder. A link to one stays.
func (t *Tree) RemoveFolder(name string) error {
	f, base, err := t.parent("remove", name)
	if err != nil {
		return err
	}
	info, err := f.root.Lstat(base)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &fs.PathError{Op: "remove", Path: name, Err: errors.New("it is not a folder")}
	}
	return f.root.Remove(base)
}

// MakeFolders makes a folder and its parents if they are missing. Other processes may do so at the
// same time.
func (t *Tree) MakeFolders(name string, perm fs.FileMode) error {
	if err := t.checkFolder(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := t.MakeFolders(path.Dir(name), perm); err != nil {
		return err
	}
	f, base, err := t.parent("mkdir", name)
	if err != nil {
		return err
	}
	if err := f.root.Mkdir(base, perm); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return t.checkFolder(name)
}

// checkFolder returns an error if a name does not lead to a folder.
func (t *Tree) checkFolder(name string) error {
	p, err := t.lookup("mkdir", name, followAll)
	if err == nil && !p.info.IsDir() {
		err = &fs.PathError{Op: "mkdir", Path: name, Err: errors.New("it is not a folder")}
	}
	return err
}

// parent opens the folder of a name, and returns the name in it.
func (t *Tree) parent(op, name string) (*folder, string, error) {
	p, err := t.lookup(op, path.Dir(name), followAll)
	if err != nil {
		return nil, "", err
	}
	base := path.Base(name)
	f, err := t.enter(p)
	switch {
	case err != nil:
	case isGit(base), f.git():
		err = ErrGit
	case base == "." || base == ".." || strings.Contains(base, `\`):
		err = fs.ErrInvalid
	}
	if err != nil {
		return nil, "", &fs.PathError{Op: op, Path: name, Err: cause(err)}
	}
	return f, base, nil
}
