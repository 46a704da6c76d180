package repo

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"
	"time"
)

// Tree is a tree of files that git knows, as an fs.FS. No memory is behind a symbolic link, so links
// are not followed.
type Tree struct {
	entries []entry // sorted by path
	objects *objects
}

// newTree returns the tree of a list of entries, of which a file in conflict has several.
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

// errConflict is the error of a file with a merge conflict.
var errConflict = errors.New("has a merge conflict: resolve it and add it first")

// Open opens a file or folder.
func (t *Tree) Open(name string) (fs.File, error) {
	at, err := t.lookUp(name)
	if err == nil && at >= 0 && t.entries[at].mode == modeLink {
		err = errors.New("is a symbolic link")
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	if at < 0 {
		return &folder{info: folderInfo(name), children: t.children(name)}, nil
	}
	content, err := t.objects.read(t.entries[at].hash)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &file{info: info{path.Base(name), permissions(t.entries[at].mode)}, Reader: bytes.NewReader(content)}, nil
}

// Stat describes a file or folder; for what is behind a link, the link.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	at, err := t.lookUp(name)
	for parent := path.Dir(name); errors.Is(err, fs.ErrNotExist) && parent != "."; parent = path.Dir(parent) {
		if i, found := t.find(parent); found && t.entries[i].mode == modeLink {
			at, err = i, nil
		}
	}
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	if at < 0 {
		return folderInfo(name), nil
	}
	return info{path.Base(name), permissions(t.entries[at].mode)}, nil
}

// Has reports whether the tree has a file, even one with a merge conflict.
func (t *Tree) Has(name string) bool {
	_, found := t.find(name)
	return found
}

// Changed returns the files that differ from an earlier tree, sorted. Those of the staged tree since the head are what
// is about to be committed; in a merge they include all changes of the other side.
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

// lookUp returns the index of an entry, or -1 for a folder. A submodule is an empty folder: its files
// belong to another repository. No link is followed.
func (t *Tree) lookUp(name string) (at int, err error) {
	if !fs.ValidPath(name) {
		return 0, fs.ErrInvalid
	}
	i, found := t.find(name)
	if !found && (name == "." || t.isFolder(name)) {
		return -1, nil
	}
	if !found {
		return 0, fs.ErrNotExist
	}
	if t.entries[i].conflict {
		return 0, errConflict
	}
	if t.entries[i].mode == modeSubmodule {
		return -1, nil
	}
	return i, nil
}

func (t *Tree) isFolder(name string) bool {
	i := t.after(name + "/")
	return i < len(t.entries) && strings.HasPrefix(t.entries[i].path, name+"/")
}

// find returns the index of an entry or, if there is none, of the next one.
func (t *Tree) find(name string) (i int, found bool) {
	i = t.after(name)
	return i, i < len(t.entries) && t.entries[i].path == name
}

// after returns the index of the first entry that is not before a name.
func (t *Tree) after(name string) int {
	return sort.Search(len(t.entries), func(i int) bool { return t.entries[i].path >= name })
}

// children lists a folder.
func (t *Tree) children(name string) []fs.DirEntry {
	prefix := name + "/"
	if name == "." {
		prefix = ""
	}
	var children []fs.DirEntry
	for i := t.after(prefix); i < len(t.entries) && strings.HasPrefix(t.entries[i].path, prefix); {
		rest := t.entries[i].path[len(prefix):]
		child, _, below := strings.Cut(rest, "/")
		mode := permissions(t.entries[i].mode)
		if below {
			mode = fs.ModeDir | 0o755
		}
		children = append(children, fs.FileInfoToDirEntry(info{child, mode}))
		i++
		if below { // skip the rest of the folder
			i = t.after(prefix + child + "0") // "0" is the byte after "/"
		}
	}
	slices.SortFunc(children, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return children
}

func permissions(mode uint32) fs.FileMode {
	switch mode {
	case modeLink:
		return fs.ModeSymlink | 0o777
	case modeSubmodule:
		return fs.ModeDir | 0o755
	}
	return fs.FileMode(mode & 0o777)
}

// info describes a file or folder, but not its size: git would have to read the content.
type info struct {
	name string
	mode fs.FileMode
}

func folderInfo(name string) info { return info{name: path.Base(name), mode: fs.ModeDir | 0o755} }

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return 0 }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

type file struct {
	info info
	*bytes.Reader
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }

type folder struct {
	info     info
	children []fs.DirEntry
	at       int
}

func (f *folder) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *folder) Close() error               { return nil }
func (f *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.info.name, Err: errors.New("is a folder")}
}

// ReadDir lists the next n children, or all that are left.
func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	left := f.children[f.at:]
	if n <= 0 {
		f.at = len(f.children)
		return left, nil
	}
	if len(left) == 0 {
		return nil, io.EOF
	}
	left = left[:min(n, len(left))]
	f.at += len(left)
	return left, nil
}
