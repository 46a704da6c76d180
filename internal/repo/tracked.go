package repo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Tracks reports whether git tracks a file of a folder; the name has slashes. It ignores letter case,
// as some file systems do. A name that leads through a link counts as tracked, because git may
// track the file that the link leads to. So does a file in a submodule, which comes with its
// repository.
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
		return false, fmt.Errorf("%s is outside the worktree %s", path, r.Root)
	}
	name = filepath.ToSlash(name)
	src, err := os.ReadFile(r.IndexFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if first, _, _ := strings.Cut(name, "/"); isPlainIndex(src) && !bytes.Contains(bytes.ToLower(src), []byte(strings.ToLower(first))) {
		return false, nil
	}
	tree, err := r.Staged()
	if err == nil && len(tree.entries) == 0 { // nothing checked out or added yet
		if _, missing := os.Stat(filepath.Join(r.GitDir, "HEAD")); errors.Is(missing, fs.ErrNotExist) {
			return false, nil // not a repository for git
		}
		tree, err = r.Head()
	}
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(tree.entries, func(e entry) bool { // the file, or its submodule
		return strings.EqualFold(e.path, name) || len(name) > len(e.path) && name[len(e.path)] == '/' && strings.EqualFold(e.path, name[:len(e.path)])
	}), nil
}

// isPlainIndex reports whether an index file holds the whole name of each file. Version 4 shortens
// names, a split index stores them in another file, and a sparse one has only folders.
func isPlainIndex(src []byte) bool {
	version := []byte{'D', 'I', 'R', 'C', 0, 0, 0}
	if len(src) < 8 || !bytes.HasPrefix(src, version) || src[7] != 2 && src[7] != 3 {
		return false
	}
	return !bytes.Contains(src, []byte("link\x00")) && !bytes.Contains(src, []byte("sdir\x00"))
}
