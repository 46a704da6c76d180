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

// folder is an opened folder of a tree that was reached without a link.
type folder struct {
	root         *os.Root
	info         fs.FileInfo
	isGit        bool // a git directory of any name, as of a bare repository or a linked worktree
	isRepository bool // the root of a worktree. As in Find, a folder .git needs a HEAD
}

func newFolder(root *os.Root, info fs.FileInfo) *folder {
	has := func(name string) bool { _, err := root.Lstat(name); return err == nil }
	git, err := root.Lstat(".git")
	return &folder{
		root: root, info: info,
		isGit:        has("HEAD") && (has("objects") && has("refs") || has("commondir")),
		isRepository: err == nil && (!git.IsDir() || has(".git/HEAD")),
	}
}

// target is the file or folder that a name leads to.
type target struct {
	folder *folder
	dir    string // name of the folder from the root of the tree, without links
	base   string // name in the folder; "." for the folder itself
	info   fs.FileInfo
}

// linkPolicy selects the links that are followed in a name.
type linkPolicy int

const (
	followAll     linkPolicy = iota
	followParents            // all but the last element
	followNone
)

// maxLinks is the number of links that are followed for a name, as on Linux.
const maxLinks = 40

// lookup follows a name through the tree, link by link.
func (t *Tree) lookup(op, name string, follow linkPolicy) (target, error) {
	return t.lookupOrMake(op, name, follow, 0)
}

// lookupOrMake is lookup for a name that need not exist: folders on the way are made with a mode, and a missing last
// element has no info. With mode 0 the name must exist.
func (t *Tree) lookupOrMake(op, name string, follow linkPolicy, perm fs.FileMode) (target, error) {
	if !fs.ValidPath(name) {
		return target{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if t.strict {
		follow = followNone
	}
	var p target
	err := Retry(func() (err error) {
		if p, err = t.walk(strings.Split(name, "/"), follow, perm); err == nil && p.info != nil && t.strict {
			err = t.checkStrict(p)
		}
		return err
	})
	if errors.Is(err, fs.ErrClosed) {
		err = fs.ErrClosed
	} else if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		err = inner.Err
	}
	if err != nil {
		return target{}, &fs.PathError{Op: op, Path: name, Err: err}
	}
	return p, nil
}

// checkStrict returns an error for a link, and for the folder of another repository.
func (t *Tree) checkStrict(p target) error {
	if p.info.Mode()&fs.ModeSymlink != 0 {
		return &ForeignError{path.Join(p.dir, p.base), true}
	}
	if !p.info.IsDir() || p.base == "." {
		return nil
	}
	f, err := t.enter(p)
	if err == nil && f.isRepository {
		err = &ForeignError{path.Join(p.dir, p.base), false}
	}
	return err
}

func (t *Tree) walk(parts []string, follow linkPolicy, perm fs.FileMode) (target, error) {
	at := "."
	top, err := t.folder(at, "", nil)
	if err != nil {
		return target{}, err
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
				return target{}, t.outside()
			}
			parts = append(strings.Split(path.Dir(at), "/"), parts...) // from the top
			at, here = ".", top
			continue
		}
		if isGit(part) {
			return target{}, ErrGit
		}
		if strings.ContainsRune(part, filepath.Separator) { // a backslash on Windows: it would hide elements
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
			return target{here, at, part, nil}, nil
		}
		if isNew {
			if err := here.root.Mkdir(part, perm); err != nil && !errors.Is(err, fs.ErrExist) {
				return target{}, err
			}
			parts = append([]string{part}, parts...)
			continue
		}
		if info.Mode()&fs.ModeSymlink != 0 && (follow == followAll || follow == followParents && len(parts) > 0) {
			if followed++; followed > maxLinks {
				return target{}, errors.New("too many links")
			}
			linked, absolute, err := t.readLink(here, part)
			if err != nil {
				return target{}, err
			}
			if absolute {
				at, here = ".", top
			}
			parts = append(linked, parts...)
			continue
		}
		if len(parts) == 0 {
			return target{here, at, part, info}, nil
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return target{}, &ForeignError{path.Join(at, part), true}
		}
		if !info.IsDir() {
			return target{}, syscall.ENOTDIR
		}
		if here, err = t.folder(at, part, info); err != nil {
			return target{}, err
		}
		if at = path.Join(at, part); t.strict && here.isRepository {
			return target{}, &ForeignError{at, false}
		}
	}
	return target{here, at, ".", here.info}, nil
}

// readLink returns the target of a link, split at its slashes. That of an absolute link is
// relative to the tree.
func (t *Tree) readLink(in *folder, name string) (parts []string, absolute bool, err error) {
	target, err := in.root.Readlink(name)
	if err != nil {
		return nil, false, err
	}
	if filepath.IsAbs(target) || strings.HasPrefix(target, "/") || filepath.VolumeName(target) != "" {
		inside, is := relative(t.Dir, target)
		if !is {
			inside, is = relative(Resolved(t.Dir), target)
		}
		if !is {
			return nil, true, t.outside()
		}
		target, absolute = inside, true
	}
	return strings.Split(filepath.ToSlash(target), "/"), absolute, nil
}

func (t *Tree) outside() error { return fmt.Errorf("it leads out of %s", t.Dir) }

// enter opens a folder that was looked up.
func (t *Tree) enter(p target) (*folder, error) {
	if p.base == "." {
		return p.folder, nil
	}
	return t.folder(p.dir, p.base, p.info)
}

// folder opens a folder in another one if it is still the one that info describes. An
// opened folder is reused.
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
		err = ErrChanged
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	t.folders[key] = newFolder(root, now) // an older one may be in use: the garbage collector closes it
	return t.folders[key], nil
}
