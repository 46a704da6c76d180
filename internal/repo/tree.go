package repo

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Tree is a tree of files that git knows, as an fs.FS. It does not follow symbolic links, since no memory is behind
// one.
type Tree struct {
	entries []entry // sorted by path
	objects *objects
}

// newTree returns the tree of a list of entries. A file in conflict may have several.
func (r *Repository) newTree(entries []entry) *Tree {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	entries = slices.CompactFunc(entries, func(a, b entry) bool { return a.path == b.path })
	return &Tree{entries: entries, objects: &r.objects}
}

// WithoutLinks returns the tree without links and submodules.
func (t *Tree) WithoutLinks() *Tree {
	return &Tree{objects: t.objects, entries: slices.DeleteFunc(slices.Clone(t.entries), func(e entry) bool {
		return e.mode == modeLink || e.mode == modeSubmodule
	})}
}

// Open opens a file or folder.
func (t *Tree) Open(name string) (fs.File, error) {
	e, err := t.lookUp(name)
	if err == nil && e.mode == modeLink {
		err = errors.New("is a symbolic link")
	}
	var content []byte
	if err == nil && !e.isFolder() {
		content, err = t.objects.read(e.hash)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return file{info{e, t.objects}, bytes.NewReader(content)}, nil
}

// Stat describes a file or folder. For a name that leads through a link, it describes the link.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	e, err := t.lookUp(name)
	for parent := path.Dir(name); errors.Is(err, fs.ErrNotExist) && parent != "."; parent = path.Dir(parent) {
		if i, found := t.find(parent); found && t.entries[i].mode == modeLink {
			e, err = t.entries[i], nil
		}
	}
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return info{e, t.objects}, nil
}

// Has reports whether the tree has a file, even one with a merge conflict.
func (t *Tree) Has(name string) bool {
	_, found := t.find(name)
	return found
}

// Changed returns the files that differ from an earlier tree, sorted. Between the head and the staged tree, these are
// the files about to be committed; in a merge they include all changes of the other side.
func (t *Tree) Changed(earlier *Tree) (paths []string) {
	for _, before := range earlier.entries {
		if !t.Has(before.path) {
			paths = append(paths, before.path)
		}
	}
	for _, after := range t.entries {
		if at, existed := earlier.find(after.path); !existed || earlier.entries[at] != after {
			paths = append(paths, after.path)
		}
	}
	slices.Sort(paths)
	return paths
}

// lookUp returns the entry of a file, or an entry made for a folder. A submodule is an empty folder, since its files
// belong to another repository. Links are not followed.
func (t *Tree) lookUp(name string) (entry, error) {
	if !fs.ValidPath(name) {
		return entry{}, fs.ErrInvalid
	}
	i, found := t.find(name)
	if found && t.entries[i].conflict {
		return entry{}, errors.New("has a merge conflict: resolve it and add it first")
	}
	if found {
		return t.entries[i], nil
	}
	if i, _ = t.find(name + "/"); name == "." || i < len(t.entries) && strings.HasPrefix(t.entries[i].path, name+"/") {
		return entry{path: name, mode: modeFolder}, nil
	}
	return entry{}, fs.ErrNotExist
}

// find returns the index of the entry with a name or, if there is none, of the next entry.
func (t *Tree) find(name string) (i int, found bool) {
	return slices.BinarySearchFunc(t.entries, name, func(e entry, name string) int { return strings.Compare(e.path, name) })
}

// ReadDir lists a folder.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	e, err := t.lookUp(name)
	if err == nil && !e.isFolder() {
		err = errors.New("is not a folder")
	}
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	prefix := name + "/"
	if name == "." {
		prefix = ""
	}
	var children []fs.DirEntry
	for i, _ := t.find(prefix); i < len(t.entries) && strings.HasPrefix(t.entries[i].path, prefix); {
		child, _, below := strings.Cut(t.entries[i].path[len(prefix):], "/")
		e := t.entries[i]
		i++
		if below {
			e = entry{path: prefix + child, mode: modeFolder}
			i, _ = t.find(prefix + child + "0") // "0" follows "/", so this skips the rest of the folder
		}
		children = append(children, fs.FileInfoToDirEntry(info{e, t.objects}))
	}
	slices.SortFunc(children, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return children, nil
}

// info describes a file or folder. Size is 0 for a folder, and for a blob that git does not have.
type info struct {
	entry
	objects *objects
}

func (i info) Name() string       { return path.Base(i.path) }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.isFolder() }
func (i info) Sys() any           { return nil }
func (i info) Size() int64 {
	if i.isFolder() {
		return 0
	}
	i.objects.mutex.Lock()
	defer i.objects.mutex.Unlock()
	size, _ := i.objects.size(i.hash)
	return size
}
func (i info) Mode() fs.FileMode {
	if i.isFolder() {
		return fs.ModeDir | 0o755
	}
	if i.mode == modeLink {
		return fs.ModeSymlink | 0o777
	}
	return fs.FileMode(i.mode & 0o777)
}

type file struct {
	info info
	*bytes.Reader
}

func (f file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f file) Close() error               { return nil }
func (f file) Read(p []byte) (int, error) {
	if f.info.IsDir() {
		return 0, &fs.PathError{Op: "read", Path: f.info.path, Err: errors.New("is a folder")}
	}
	return f.Reader.Read(p)
}
