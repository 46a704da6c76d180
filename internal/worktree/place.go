package worktree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// folder is an opened folder of a tree that was reached without a link.
type folder struct {
	root *os.Root
	info fs.FileInfo

	once  sync.Once
	isGit bool
}

// git reports whether the folder is a git directory, whatever its name: of a bare
// repository or of a linked worktree.
func (f *folder) git() bool {
	f.once.Do(func() {
		has := func(name string) bool { _, err := f.root.Lstat(name); return err == nil }
		f.isGit = has("HEAD") && (has("objects") && has("refs") || has("commondir"))
	})
	return f.isGit
}

// place is where a name leads: an entry of a folder, "." for the folder itself.
type place struct {
	folder *folder
	name   string // of the folder, from the root of the tree, without links
	base   string
	info   fs.FileInfo
}

// links says which links of a name are followed.
type links int

const (
	followAll   links = iota
	followFirst       // but not one that the name itself is
	followNone
)

// maxLinks is the number of links that are followed for a name, as on Linux.
const maxLinks = 40

// find follows a name through the tree, link by link.
func (t *Tree) find(op, name string, follow links) (place, error) {
	if !fs.ValidPath(name) {
		return place{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	p, err := t.walk(strings.Split(name, "/"), follow)
	if errors.Is(err, fs.ErrClosed) {
		err = fs.ErrClosed
	} else if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		err = inner.Err
	}
	if err != nil {
		return place{}, &fs.PathError{Op: op, Path: name, Err: err}
	}
	return p, nil
}

func (t *Tree) walk(parts []string, follow links) (place, error) {
	at := "."
	top, err := t.folder(at, "", nil)
	if err != nil {
		return place{}, err
	}
	here, followed := top, 0
	for len(parts) > 0 {
		part := parts[0]
		parts = parts[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if at == "." {
				return place{}, t.outside()
			}
			at = path.Dir(at)
			if here, err = t.open(at); err != nil {
				return place{}, err
			}
			continue
		}
		if isGit(part) {
			return place{}, ErrGit
		}
		if strings.ContainsRune(part, filepath.Separator) { // a backslash on Windows: it would hide elements
			return place{}, fs.ErrInvalid
		}
		info, err := here.root.Lstat(part)
		if err != nil {
			return place{}, err
		}
		if here.git() {
			return place{}, ErrGit
		}
		if info.Mode()&fs.ModeSymlink != 0 && (follow == followAll || follow == followFirst && len(parts) > 0) {
			if followed++; followed > maxLinks {
				return place{}, errors.New("too many links")
			}
			target, absolute, err := t.target(here, part)
			if err != nil {
				return place{}, err
			}
			if absolute {
				at, here = ".", top
			}
			parts = append(target, parts...)
			continue
		}
		if len(parts) == 0 {
			return place{here, at, part, info}, nil
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return place{}, fmt.Errorf("%s is a link, and none is followed here", path.Join(at, part))
		}
		if !info.IsDir() {
			return place{}, syscall.ENOTDIR
		}
		if here, err = t.folder(at, part, info); err != nil {
			return place{}, err
		}
		at = path.Join(at, part)
	}
	return place{here, at, ".", here.info}, nil
}

// target returns where a link leads, in parts; those of an absolute one are from the root.
func (t *Tree) target(in *folder, name string) (parts []string, absolute bool, err error) {
	target, err := in.root.Readlink(name)
	if err != nil {
		return nil, false, err
	}
	if filepath.IsAbs(target) || strings.HasPrefix(target, "/") || filepath.VolumeName(target) != "" {
		inside, is := relative(t.Dir, target)
		if !is {
			inside, is = relative(resolved(t.Dir), target)
		}
		if !is {
			return nil, true, t.outside()
		}
		target, absolute = inside, true
	}
	return strings.Split(filepath.ToSlash(target), "/"), absolute, nil
}

func (t *Tree) outside() error { return fmt.Errorf("it leads out of %s", t.Dir) }

// open opens a folder by its name without links.
func (t *Tree) open(name string) (*folder, error) {
	p, err := t.walk(strings.Split(name, "/"), followNone)
	if err != nil {
		return nil, err
	}
	return t.enter(p)
}

// enter opens the folder that a name has led to.
func (t *Tree) enter(p place) (*folder, error) {
	if p.base == "." {
		return p.folder, nil
	}
	return t.folder(p.name, p.base, p.info)
}

// folder opens the entry of a folder that was looked at as info. One that was opened
// before is used again, if it is the same still.
func (t *Tree) folder(in, name string, info fs.FileInfo) (*folder, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	key := path.Join(in, name)
	known := t.folders[key]
	if known != nil && (info == nil || os.SameFile(known.info, info)) {
		return known, nil
	}
	parent := t.folders[in]
	if parent == nil {
		return nil, fs.ErrClosed
	}
	root, err := parent.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	now, err := root.Stat(".")
	if err == nil && !os.SameFile(now, info) {
		err = errChanged
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	t.folders[key] = &folder{root: root, info: now} // an older one may be in use: it is closed when nothing refers to it
	return t.folders[key], nil
}

// errChanged is returned if something else is there than a moment ago.
var errChanged = errors.New("it is being changed by someone else: try again")
