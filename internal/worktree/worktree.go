// Package worktree opens the folder whose memory is to be worked on: which one
// it is, its files as an fs.FS that nothing leads out of, and the places on disk
// where its files are written.
package worktree

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Tree is an opened folder. Close releases it.
type Tree struct {
	Dir  string // as it was opened
	root *os.Root
}

// Find returns the nearest folder, from dir upwards, that holds one of the
// marks (names with slashes), or dir itself if none does.
func Find(dir string, marks ...string) string {
	for at := dir; ; {
		for _, mark := range marks {
			if _, err := os.Lstat(filepath.Join(at, filepath.FromSlash(mark))); err == nil {
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

// Open opens a folder.
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
	return &Tree{Dir: dir, root: root}, nil
}

// Close releases the folder.
func (t *Tree) Close() error { return t.root.Close() }

// FS is the tree for reading. A symbolic link that leads out of it is an error.
func (t *Tree) FS() fs.FS { return t.root.FS() }

// Path is where an existing file of the tree (its name relative, with slashes)
// lies on disk, all symbolic links followed, for writing. A name that leads out of
// the tree is an error.
func (t *Tree) Path(name string) (string, error) {
	dir, err := filepath.EvalSymlinks(t.Dir)
	if err != nil {
		return "", err
	}
	path, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(dir, path); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s leads out of %s", name, t.Dir)
	}
	return path, nil
}
