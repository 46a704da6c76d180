package worktree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// folder is an open folder of a tree. No element of its name is a link.
type folder struct {
	name         string  // from the root of the tree
	parent       *folder // nil for the root
	root         *os.Root
	info         fs.FileInfo
	isGit        bool // a git directory of any name, such as a bare repository or that of a linked worktree
	isRepository bool // the root of a worktree; as in Find, a folder .git needs a HEAD
}

func newFolder(name string, parent *folder, root *os.Root) (*folder, error) {
	info, err := root.Stat(".")
	if err != nil {
		return nil, err
	}
	has := func(name string) bool { _, err := root.Lstat(name); return err == nil }
	git, err := root.Lstat(".git")
	return &folder{
		name: name, parent: parent, root: root, info: info,
		isGit:        has("HEAD") && (has("objects") && has("refs") || has("commondir")),
		isRepository: err == nil && (!git.IsDir() || has(".git/HEAD")),
	}, nil
}

// target is the file or folder that a name leads to.
type target struct {
	folder *folder     // the folder that holds it
	base   string      // its name in the folder; "." for the folder itself
	info   fs.FileInfo // nil if it is missing
}

// lastElement says how the last element of a name is treated. Links before it are followed.
type lastElement int

const (
	followLast lastElement = iota
	keepLast               // don't follow a link
	enterLast              // it must lead to a folder, which is opened
)

// maxDetours is the maximum number of links that are followed for a name, as on Linux. Folders that another process
// replaces meanwhile count, too.
const maxDetours = 40

// errMoved is returned if another process keeps replacing a file or folder.
var errMoved = errors.New("another process replaces it: try again")

// lookup follows a name through the tree, link by link. If perm is not 0, it creates missing folders on the way, and
// the last element may be missing.
func (t *Tree) lookup(op, name string, last lastElement, perm fs.FileMode) (target, error) {
	if !fs.ValidPath(name) {
		return target{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	parts := strings.Split(name, "/")
	if last == enterLast {
		parts = append(parts, ".")
	}
	p, err := t.walk(parts, last, perm)
	if err != nil {
		return target{}, &fs.PathError{Op: op, Path: name, Err: cause(err)}
	}
	return p, nil
}

func (t *Tree) walk(parts []string, last lastElement, perm fs.FileMode) (target, error) {
	here, detours := t.top, 0
	for len(parts) > 0 {
		part := parts[0]
		parts = parts[1:]
		if part == "" || part == "." {
			continue
		}
		if part == ".." && here.parent == nil {
			return target{}, t.outside()
		}
		if part == ".." {
			here = here.parent
			continue
		}
		if isGit(part) {
			return target{}, ErrGit
		}
		if strings.ContainsRune(part, filepath.Separator) { // on Windows, a backslash would hide elements
			return target{}, fs.ErrInvalid
		}
		info, err := here.root.Lstat(part)
		isNew := perm != 0 && errors.Is(err, fs.ErrNotExist)
		if err != nil && !isNew {
			return target{}, err
		}
		if here.isGit {
			return target{}, ErrGit
		}
		if isNew && len(parts) == 0 {
			return target{here, part, nil}, nil
		}
		if isNew {
			if err := here.root.Mkdir(part, perm); err != nil && !errors.Is(err, fs.ErrExist) {
				return target{}, err
			}
			parts = append([]string{part}, parts...)
			continue
		}
		isLink := info.Mode()&fs.ModeSymlink != 0
		if isLink && t.strict {
			return target{}, &ForeignError{path.Join(here.name, part), true}
		}
		if isLink && (last != keepLast || len(parts) > 0) {
			if detours++; detours > maxDetours {
				return target{}, errors.New("too many links")
			}
			from, linked, err := t.follow(here, part)
			if err != nil {
				return target{}, err
			}
			here, parts = from, append(linked, parts...)
			continue
		}
		if len(parts) > 0 && !info.IsDir() {
			return target{}, syscall.ENOTDIR
		}
		if !info.IsDir() || len(parts) == 0 && !t.strict {
			return target{here, part, info}, nil
		}
		next, err := t.enter(here, part, info)
		if errors.Is(err, errMoved) && detours < maxDetours {
			detours++
			parts = append([]string{part}, parts...)
			continue
		}
		if err != nil {
			return target{}, err
		}
		if t.strict && next.isRepository {
			return target{}, &ForeignError{next.name, false}
		}
		if len(parts) == 0 {
			return target{here, part, info}, nil
		}
		here = next
	}
	info, err := here.root.Lstat(".")
	return target{here, ".", info}, err
}

// follow returns where a link leads: a folder of the tree, and the elements of a name relative to it.
func (t *Tree) follow(in *folder, link string) (from *folder, parts []string, err error) {
	target, err := in.root.Readlink(link)
	if err != nil {
		return nil, nil, err
	}
	volume := filepath.VolumeName(target)
	if filepath.IsAbs(target) || strings.HasPrefix(target, "/") || volume != "" {
		if !strings.EqualFold(volume, filepath.VolumeName(t.Dir)) { // on Windows it may be on another machine: don't contact that
			return nil, nil, t.outside()
		}
		name, inside := Name(t.Dir, target)
		if !inside {
			return nil, nil, t.outside()
		}
		in, target = t.top, name
	}
	return in, strings.Split(filepath.ToSlash(target), "/"), nil
}

func (t *Tree) outside() error { return fmt.Errorf("it leads out of %s", t.Dir) }

// enter opens a folder in another one. It returns errMoved if the folder is no longer the one that info describes. It
// reuses open folders.
func (t *Tree) enter(in *folder, base string, info fs.FileInfo) (*folder, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	name := path.Join(in.name, base)
	if known := t.folders[name]; known != nil && os.SameFile(known.info, info) {
		return known, nil
	}
	root, err := in.root.OpenRoot(base)
	if err != nil {
		return nil, err
	}
	f, err := newFolder(name, in, root)
	if err == nil && !os.SameFile(f.info, info) {
		err = errMoved
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	t.folders[name] = f // a replaced one may be in use, so the garbage collector closes it
	return f, nil
}

// openRegular opens a regular file of a folder, and creates a missing one if the flag has os.O_CREATE. The flag must
// not have os.O_TRUNC. It never follows a link or waits for a pipe, even if one replaces the file meanwhile.
func openRegular(root *os.Root, name string, flag int, perm fs.FileMode) (*os.File, error) {
	for range maxDetours {
		info, err := root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0 {
			file, err := root.OpenFile(name, flag|os.O_EXCL, perm)
			if errors.Is(err, fs.ErrExist) { // another process has just created it
				continue
			}
			return file, err
		}
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, errNotRegular
		}
		file, err := root.OpenFile(name, flag&^os.O_CREATE|syscall.O_NONBLOCK, 0)
		if err != nil {
			return nil, err
		}
		now, err := file.Stat()
		if err == nil && os.SameFile(now, info) {
			return file, nil
		}
		if err := errors.Join(err, file.Close()); err != nil {
			return nil, err
		}
	}
	return nil, errMoved
}

// errNotRegular is returned for a folder, a link, a pipe or a device.
var errNotRegular = errors.New("it is not a regular file")

// cause returns an error without its path.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
