package worktree

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// treeFS is a tree as an fs.FS.
type treeFS struct{ tree *Tree }

// maxOpens is how often a file is looked up that others replace meanwhile, as atomic writes do.
const maxOpens = 100

// Open opens a file or a folder for reading.
func (f treeFS) Open(name string) (fs.File, error) {
	for opens := 1; ; opens++ {
		if file, err := f.open(name); !errors.Is(err, errChanged) || opens == maxOpens {
			return file, err
		}
	}
}

func (f treeFS) open(name string) (fs.File, error) {
	p, err := f.tree.lookup("open", name, followAll)
	if err != nil {
		return nil, err
	}
	file, err := p.open(os.O_RDONLY, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return file, nil
}

// open opens a file or folder if it is still the one that was looked up.
func (p target) open(flag int, perm fs.FileMode) (*os.File, error) {
	if !p.info.Mode().IsRegular() && !p.info.IsDir() { // a pipe would block
		return nil, errors.New("it is not a regular file")
	}
	file, err := p.folder.root.OpenFile(p.base, flag, perm)
	if err != nil {
		return nil, cause(err)
	}
	now, err := file.Stat()
	if err == nil && !os.SameFile(now, p.info) {
		err = errChanged
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// cause returns an error without its path.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// Stat describes the file that a name leads to.
func (f treeFS) Stat(name string) (fs.FileInfo, error) {
	p, err := f.tree.lookup("stat", name, followAll)
	return p.info, err
}

// Lstat describes a file, or a link itself.
func (f treeFS) Lstat(name string) (fs.FileInfo, error) {
	p, err := f.tree.lookup("lstat", name, followFirst)
	return p.info, err
}

// ReadLink reads a symbolic link.
func (f treeFS) ReadLink(name string) (string, error) {
	p, err := f.tree.lookup("readlink", name, followFirst)
	if err != nil {
		return "", err
	}
	target, err := p.folder.root.Readlink(p.base)
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: cause(err)}
	}
	return target, nil
}

// ReadDir lists a folder, sorted, without git directories, and in a strict tree without links. A git
// directory is empty.
func (f treeFS) ReadDir(name string) ([]fs.DirEntry, error) {
	p, err := f.tree.lookup("readdir", name, followAll)
	if errors.Is(err, ErrGit) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	folder, err := f.tree.enter(p)
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: cause(err)}
	}
	if folder.git() {
		return nil, nil
	}
	file, err := folder.root.Open(".")
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: cause(err)}
	}
	defer file.Close()
	entries, err := file.ReadDir(-1)
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: cause(err)}
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return isGit(e.Name()) || f.tree.strict && e.Type()&fs.ModeSymlink != 0
	})
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}
