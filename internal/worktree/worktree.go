// Package worktree opens the folder that holds a memory index. It is the only way to the files in that folder, since an
// attacker may have written them and the links among them. It also locks files and writes them atomically, there and in
// the user's own folder.
//
// No name leads out of the folder or into a git directory, directly or through links. Each folder on the way is opened
// from the one above it and compared with the one that was examined, so a link that replaces it meanwhile is not
// followed.
package worktree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Tree is an open folder. Close releases it.
type Tree struct {
	Dir string // as given to Open
	*opened
	strict bool
}

// opened holds the open folders of a tree.
type opened struct {
	top     *folder
	mutex   sync.Mutex
	folders map[string]*folder // by name without links
}

// ErrGit is returned for a name that leads into a git directory.
var ErrGit = errors.New("it leads into a git directory")

// isGit reports whether some file system takes a name for .git: in any letter case, with a suffix that NTFS drops, as
// the short name on NTFS, or with characters that HFS+ ignores.
func isGit(part string) bool {
	part, _, _ = strings.Cut(part, ":") // a stream of NTFS
	part = strings.TrimRight(strings.Map(ignoredByHFS, part), ". ")
	return strings.EqualFold(part, ".git") || strings.EqualFold(part, "git~1")
}

// ignoredByHFS returns -1 for a character that HFS+ ignores in names, by git's list, and other characters unchanged.
func ignoredByHFS(r rune) rune {
	if r >= 0x200c && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x206a && r <= 0x206f || r == 0xfeff {
		return -1
	}
	return r
}

// InGit reports whether a path, with slashes, has an element that some file system takes for .git.
func InGit(name string) bool { return slices.ContainsFunc(strings.Split(name, "/"), isGit) }

// Find returns the nearest folder, from dir upwards, that holds one of the marks (names with slashes), or dir itself if
// none does. A mark above dir counts only if it belongs to the user, to root, or to the owner of dir: on a shared
// machine, anyone can put one into /tmp. A mark that is a folder, as .git may be, needs a HEAD: sandboxes of agents
// leave an empty .git behind.
func Find(dir string, marks ...string) string {
	for at := dir; ; {
		for _, mark := range marks {
			if isMarked(at, mark, func(info fs.FileInfo) bool { return at == dir || isTrusted(info, dir) }) {
				return at
			}
		}
		up := filepath.Dir(at)
		if up == at {
			return dir
		}
		at = up
	}
}

// IsRoot reports whether a folder holds a .git that makes it a work tree. It may belong to any user.
func IsRoot(dir string) bool {
	return isMarked(dir, ".git", func(fs.FileInfo) bool { return true })
}

// isMarked reports whether a folder has a mark, a file or a folder with a HEAD, and whether each element of the mark's
// name is trusted. It opens no file, since every event calls it.
func isMarked(dir, mark string, trusted func(fs.FileInfo) bool) bool {
	isFolder := false
	for element := range strings.SplitSeq(mark, "/") {
		dir = filepath.Join(dir, element)
		info, err := os.Lstat(dir)
		if err != nil || !trusted(info) {
			return false
		}
		isFolder = info.IsDir()
	}
	if !isFolder {
		return true
	}
	_, err := os.Lstat(filepath.Join(dir, "HEAD"))
	return err == nil
}

// Open opens a folder as a tree.
func Open(dir string) (*Tree, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	top, err := newFolder(".", nil, root)
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &Tree{Dir: dir, opened: &opened{top: top, folders: map[string]*folder{".": top}}}, nil
}

// Strict returns the same folder as a tree that follows no links and enters no other repository: the error for a name
// that leads there is a [ForeignError]. Closing one of the two trees closes both.
func (t *Tree) Strict() *Tree { return &Tree{t.Dir, t.opened, true} }

// ForeignError is returned by a strict tree for a name that leads through a link or into another
// repository.
type ForeignError struct {
	Path string // of the link, or the folder of the repository
	Link bool
}

func (e *ForeignError) Error() string {
	if e.Link {
		return e.Path + " is a link, and none is followed here"
	}
	return e.Path + " is another repository"
}

// Is reports whether target is fs.ErrNotExist: files behind a link, or in another repository, count as missing.
func (e *ForeignError) Is(target error) bool { return target == fs.ErrNotExist }

// Close releases the folder.
func (t *Tree) Close() (err error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for _, f := range t.folders {
		err = errors.Join(err, f.root.Close())
	}
	clear(t.folders)
	return err
}

// FS returns the tree as an fs.FS. It follows links within the tree, and lists no git directories.
func (t *Tree) FS() fs.FS { return treeFS{t} }

// Real returns a name with all links resolved.
func (t *Tree) Real(name string) (string, error) {
	p, err := t.lookup("open", name, followLast, 0)
	if err != nil {
		return "", err
	}
	return path.Join(p.folder.name, p.base), nil
}

// Name returns a path relative to a folder, with slashes, and whether it is inside the folder. Both paths may contain
// links.
func Name(dir, path string) (name string, inside bool) {
	if name, inside = relative(dir, path); inside {
		return name, true
	}
	return relative(Resolved(dir), Resolved(path))
}

func relative(dir, path string) (name string, inside bool) {
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// Resolved returns a path with links resolved; its elements need not all exist.
func Resolved(path string) string {
	if found, err := filepath.EvalSymlinks(path); err == nil {
		return found
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(Resolved(dir), filepath.Base(path))
	}
	return path
}

// Same reports whether two paths lead to the same file or folder.
func Same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
