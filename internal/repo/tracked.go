package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Tracks reports whether git tracks a file of a folder; the name has slashes. Names that differ
// in case alone are one file on some systems, and so count as one here. A name that leads over
// a link counts as tracked: git may track what the link leads to.
func (r *Repository) Tracks(dir, name string) (bool, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false, err
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if real, err := filepath.EvalSymlinks(path); err != nil || !strings.EqualFold(real, path) {
		return true, err
	}
	if name, err = filepath.Rel(r.Root, path); err != nil || !filepath.IsLocal(name) {
		return false, fmt.Errorf("%s lies outside of the worktree %s", path, r.Root)
	}
	name = filepath.ToSlash(name)
	src, err := os.ReadFile(r.IndexFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil // nothing has been added yet
	case err != nil:
		return false, err
	case isPlainIndex(src) && !bytes.Contains(bytes.ToLower(src), []byte(strings.ToLower(name))):
		return false, nil
	}
	tree, err := r.Staged()
	if err != nil {
		return false, err
	}
	for _, e := range tree.entries {
		if strings.EqualFold(e.path, name) {
			return true, nil
		}
	}
	return false, nil
}

// isPlainIndex reports whether an index file holds the whole name of each file: version 4
// shortens names, a split index has them in another file, and a sparse one only names folders.
func isPlainIndex(src []byte) bool {
	version := []byte{'D', 'I', 'R', 'C', 0, 0, 0}
	if len(src) < 8 || !bytes.HasPrefix(src, version) || src[7] != 2 && src[7] != 3 {
		return false
	}
	return !bytes.Contains(src, []byte("link\x00")) && !bytes.Contains(src, []byte("sdir\x00"))
}
