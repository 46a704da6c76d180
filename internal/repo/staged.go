package repo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
)

// entry is a file in the index or a commit.
type entry struct {
	path     string // from the root, with slashes
	hash     string // of its blob, in hex
	mode     uint32 // as git writes it: 0100644, 0100755, 0120000 …
	conflict bool   // left unresolved by a merge
}

// The modes of entries.
const (
	modeFile       = uint32(0o100644)
	modeExecutable = uint32(0o100755)
	modeLink       = uint32(0o120000)
	modeSubmodule  = uint32(0o160000)
)

// Staged returns the tree that is about to be committed. It lacks files that are only announced
// ("git add -N"), and a file with a merge conflict cannot be read.
func (r *Repository) Staged() (*Tree, error) {
	if _, err := os.Stat(r.IndexFile); errors.Is(err, fs.ErrNotExist) {
		return r.newTree(nil), nil // nothing has been staged yet
	}
	entries, err := r.listIndex()
	if err != nil {
		return nil, fmt.Errorf("read what is staged: %w", r.explainIndex(err))
	}
	return r.newTree(entries), nil
}

// explainIndex adds how to replace an index that git itself cannot read.
func (r *Repository) explainIndex(err error) error {
	if !strings.Contains(err.Error(), "index file") {
		return err
	}
	return fmt.Errorf("%w; move %s away and run git reset, which rebuilds it from the last commit: files in the worktree stay as they are", err, r.IndexFile)
}

// emptyBlob has the hashes of an empty file, which git shows for files of "git add -N".
var emptyBlob = []string{
	"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
	"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
}

// listIndex returns the entries of the index.
func (r *Repository) listIndex() ([]entry, error) {
	out, err := r.read(context.Background(), "ls-files", "--stage", "-z", "--full-name", "--", ":(top)")
	if err != nil {
		return nil, err
	}
	var entries []entry
	for fields, path := range listed(out) { // mode, hash, stage
		mode, err := strconv.ParseUint(fields[0], 8, 32)
		if err != nil || mode>>12 == 0 || mode > uint64(modeSubmodule) { // git prints garbage for a truncated index
			return nil, fmt.Errorf("git ls-files: index file corrupt: mode %s of %s", fields[0], path)
		}
		entries = append(entries, entry{path, fields[1], uint32(mode), fields[2] != "0"})
	}
	announced, err := r.announced(entries)
	return slices.DeleteFunc(entries, func(e entry) bool { return announced[e.path] }), err
}

// emptyTree has the hashes of an empty tree by their length; git has it built in.
var emptyTree = map[int]string{
	40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
	64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}

// announced returns the files of "git add -N": git ls-files lists them with the hash of an empty
// file, but git diff-index does not list them as new.
func (r *Repository) announced(entries []entry) (map[string]bool, error) {
	announced := map[string]bool{}
	for _, e := range entries {
		if slices.Contains(emptyBlob, e.hash) {
			announced[e.path] = true
		}
	}
	if len(announced) == 0 {
		return nil, nil
	}
	out, err := r.read(context.Background(), "diff-index", "--cached", "--ita-invisible-in-index", "--name-only", "--no-renames", "-z", emptyTree[len(entries[0].hash)])
	if err != nil {
		return nil, err
	}
	for path := range names(out) {
		delete(announced, path)
	}
	return announced, nil
}
