package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/index"
)

// entry is a file in the index or a commit.
type entry struct {
	path     string // from the root, with slashes
	hash     string // of its blob, in hex
	mode     uint32 // as git writes it: 0100644, 0100755, 0120000 …
	conflict bool   // a merge left it unresolved
}

// The modes of entries.
const (
	modeLink      = uint32(0o120000)
	modeSubmodule = uint32(0o160000)
	modeFolder    = uint32(0o040000)
)

func (e entry) isFolder() bool { return e.mode == modeFolder || e.mode == modeSubmodule }

// Staged returns the tree that is about to be committed, without files that are only announced ("git add -N"). Files
// with merge conflicts cannot be read.
func (r *Repository) Staged() (*Tree, error) {
	entries, err := r.decodeIndex()
	if err != nil {
		// Unlike git ls-files, this distinguishes an announced file from an empty one.
		entries, err = r.compareWithNothing("diff-index", "--cached", "--ita-invisible-in-index", r.emptyTree())
	}
	if err != nil {
		return nil, fmt.Errorf("read what is staged: %w", err)
	}
	return r.newTree(entries), nil
}

// Head returns the tree of the last commit, which is empty before the first one.
func (r *Repository) Head() (*Tree, error) {
	entries, err := r.compareWithNothing("diff-tree", r.emptyTree(), "HEAD")
	if err != nil {
		if _, unborn := r.read(context.Background(), "rev-parse", "--quiet", "--verify", "HEAD"); !exitedWith(unborn, 1) {
			return nil, fmt.Errorf("read the last commit: %w", err)
		}
	}
	return r.newTree(entries), nil
}

// mergedVariable begins the names of the variables by which git merge names to its hooks the commits that it merges. It
// writes MERGE_HEAD only after the first hook.
const mergedVariable = "GITHEAD_"

// Parents returns the trees of the parents of the next commit: the last commit and, in a merge, the merged commits that
// MERGE_HEAD or the environment of a hook names.
func (r *Repository) Parents(environ []string) (all []*Tree, err error) {
	head, err := r.Head()
	if err != nil {
		return nil, err
	}
	all = []*Tree{head}
	src, err := os.ReadFile(filepath.Join(r.GitDir, "MERGE_HEAD"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	merged := strings.Fields(string(src))
	for _, variable := range environ {
		if rest, is := strings.CutPrefix(variable, mergedVariable); is {
			commit, _, _ := strings.Cut(rest, "=")
			merged = append(merged, commit)
		}
	}
	for _, commit := range merged {
		if strings.Trim(commit, "0123456789abcdef") != "" || commit == "" {
			return nil, fmt.Errorf("%q names no commit", commit)
		}
		entries, err := r.compareWithNothing("diff-tree", r.emptyTree(), commit)
		if err != nil {
			return nil, fmt.Errorf("read the commit that is merged: %w", err)
		}
		all = append(all, r.newTree(entries))
	}
	return all, nil
}

// decodeIndex reads the index with go-git, which refuses a split or sparse index.
func (r *Repository) decodeIndex() (entries []entry, err error) {
	defer recovered(&err)
	info, err := os.Stat(r.IndexFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // nothing has been staged yet
	}
	if err != nil {
		return nil, err
	}
	if r.isExtended() || !info.Mode().IsRegular() || info.Size() > maxIndexBytes {
		return nil, errGitAlone
	}
	src, err := readRegular(r.IndexFile)
	if err != nil {
		return nil, err
	}
	var decoded index.Index
	if err := index.NewDecoder(bytes.NewReader(src)).Decode(&decoded); err != nil {
		return nil, err
	}
	for _, e := range decoded.Entries {
		if !e.IntentToAdd {
			entries = append(entries, entry{e.Name, e.Hash.String(), uint32(e.Mode), e.Stage != 0})
		}
	}
	return entries, nil
}

// emptyTree returns the hash of the empty tree, which is built into git.
func (r *Repository) emptyTree() string {
	if r.settings != nil && strings.EqualFold(r.settings.Section("extensions").Option("objectFormat"), "sha256") {
		return "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
	}
	return "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
}

// compareWithNothing runs a git command that compares the empty tree with another one, and returns the entries of that.
func (r *Repository) compareWithNothing(args ...string) (entries []entry, err error) {
	options := []string{"-r", "--raw", "--no-abbrev", "-z", "--no-renames", "--no-relative", "--ignore-submodules=none"}
	out, err := r.read(context.Background(), slices.Concat(args[:1], options, args[1:])...)
	if err != nil {
		return nil, err
	}
	lines := slices.Collect(names(out))
	for i := 0; i+1 < len(lines); i += 2 { // a line with two modes, two hashes and a letter precedes each path
		fields, path := strings.Fields(lines[i]), lines[i+1]
		if len(fields) != 5 {
			return nil, fmt.Errorf("git %s: an answer that is not understood: %q", args[0], lines[i])
		}
		mode, err := strconv.ParseUint(fields[1], 8, 32)
		conflict := fields[4] == "U"
		if err != nil || !conflict && strings.Trim(fields[3], "0") == "" { // git prints garbage for a truncated index
			return nil, fmt.Errorf("git %s: index file corrupt: no file for %q", args[0], path)
		}
		entries = append(entries, entry{path, fields[3], uint32(mode), conflict})
	}
	return entries, nil
}
