package repo

import (
	"bytes"
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// Dirty reports whether a file has changes that git could not restore: it differs from the staged text in more than
// line ends. The path is on disk, with all links resolved. For a file that is not staged, or only announced ("git add
// -N"), the error is fs.ErrNotExist.
func (r *Repository) Dirty(path string) (bool, error) {
	name, err := r.Rel(path)
	if err != nil {
		return false, err
	}
	tree, err := r.Staged()
	if err != nil {
		return false, err
	}
	staged, err := fs.ReadFile(tree, name)
	if err != nil {
		return false, err
	}
	now, err := readRegular(path)
	lineEnds := func(src []byte) []byte { return bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")) }
	return !bytes.Equal(lineEnds(now), lineEnds(staged)), err
}

// Recent returns the current branch, if any, and at most maxFiles files that the last three commits changed, those of
// the newest commit first. It omits what it cannot read.
func (r *Repository) Recent(ctx context.Context, maxFiles int) (branch string, files []string) {
	head, err := readRegular(filepath.Join(r.GitDir, "HEAD"))
	if err != nil {
		return "", nil
	}
	branch, isBranch := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/")
	if !isBranch {
		branch = ""
	}
	out, err := r.read(ctx, "log", "-3", "--format=", "--name-only", "--no-renames", "--diff-merges=off", "-z")
	if err != nil {
		return branch, nil // there is no commit yet
	}
	for name := range names(out) {
		if len(files) < maxFiles && !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	return branch, files
}
