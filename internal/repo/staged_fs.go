package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"
	"time"
)

// Staged is a tree of staged files, as an fs.FS.
type Staged struct {
	entries []entry // by path
	blobs   *blobs
}

// errConflict is the error of a file that a merge has left undecided.
var errConflict = errors.New("has a merge conflict: resolve it and add it first")

// maxLinks is how many links are followed in a row.
const maxLinks = 8

// Open opens a file or folder. Links are followed within the tree.
func (s *Staged) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	e, isDir, err := s.resolve(name)
	switch {
	case err != nil:
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	case isDir:
		return &folder{info: info{name: path.Base(name), mode: fs.ModeDir | 0o755}, children: s.children(name)}, nil
	case e.mode == modeSubmodule:
		return &folder{info: info{name: path.Base(name), mode: fs.ModeDir | 0o755}}, nil
	}
	content, err := s.blobs.read(e.hash)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &file{info: info{path.Base(name), permissions(e.mode), int64(len(content))}, Reader: bytes.NewReader(content)}, nil
}

// Stat tells what a name is, with links followed.
func (s *Staged) Stat(name string) (fs.FileInfo, error) {
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	return f.Stat()
}

// resolve finds the entry of a name behind all links, or tells that it is a folder.
func (s *Staged) resolve(name string) (e entry, isDir bool, err error) {
	for range maxLinks {
		i, found := s.find(name)
		switch {
		case found && s.entries[i].conflict:
			return entry{}, false, errConflict
		case found && s.entries[i].mode == modeLink:
			target, err := s.blobs.read(s.entries[i].hash)
			if err != nil {
				return entry{}, false, err
			}
			if name = path.Join(path.Dir(name), string(target)); path.IsAbs(string(target)) || !fs.ValidPath(name) {
				return entry{}, false, fmt.Errorf("is a link that leads out of the repository: %s", target)
			}
		case found:
			return s.entries[i], false, nil
		case name == "." || i < len(s.entries) && strings.HasPrefix(s.entries[i].path, name+"/"):
			return entry{}, true, nil
		default:
			if j := s.after(name + "/"); j < len(s.entries) && strings.HasPrefix(s.entries[j].path, name+"/") {
				return entry{}, true, nil
			}
			return entry{}, false, fs.ErrNotExist
		}
	}
	return entry{}, false, errors.New("is a link in a circle")
}

// find is the index of an entry, or that of the next one.
func (s *Staged) find(name string) (i int, found bool) {
	i = s.after(name)
	return i, i < len(s.entries) && s.entries[i].path == name
}

// after is the index of the first entry that is not before a name.
func (s *Staged) after(name string) int {
	return sort.Search(len(s.entries), func(i int) bool { return s.entries[i].path >= name })
}

// children lists a folder.
func (s *Staged) children(name string) []fs.DirEntry {
	prefix := name + "/"
	if name == "." {
		prefix = ""
	}
	var children []fs.DirEntry
	for i := s.after(prefix); i < len(s.entries) && strings.HasPrefix(s.entries[i].path, prefix); {
		rest := s.entries[i].path[len(prefix):]
		child, _, below := strings.Cut(rest, "/")
		mode := permissions(s.entries[i].mode)
		if below {
			mode = fs.ModeDir | 0o755
		}
		children = append(children, dirEntry{s, path.Join(name, child), info{name: child, mode: mode}})
		i++
		if below { // on to what is behind the folder
			i = s.after(prefix + child + "0") // "0" is the byte behind "/"
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

// info describes a file or folder.
type info struct {
	name string
	mode fs.FileMode
	size int64
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

// dirEntry is a child of a folder.
type dirEntry struct {
	tree *Staged
	path string
	info info
}

func (d dirEntry) Name() string      { return d.info.name }
func (d dirEntry) IsDir() bool       { return d.info.mode.IsDir() }
func (d dirEntry) Type() fs.FileMode { return d.info.mode.Type() }

// Info describes the child itself, also if it is a link.
func (d dirEntry) Info() (fs.FileInfo, error) {
	if d.info.mode.IsDir() {
		return d.info, nil
	}
	if d.info.mode.Type() == fs.ModeSymlink {
		return d.info, nil
	}
	return d.tree.Stat(d.path)
}

// file is an opened file.
type file struct {
	info info
	*bytes.Reader
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }

// folder is an opened folder.
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
