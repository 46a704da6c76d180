package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

var errUnknownMerge = errors.New("git does not say which commits it merges")

// BothChanged returns the files that both sides of a merge have changed, in all three versions, for
// a merge driver that git runs. It supports a merge of one branch, a rebase and a series of
// cherry-picks. Git may run a driver for something else in between, so the caller must compare the
// file that it was given.
func (r *Repository) BothChanged() (base, ours, theirs *Tree, err error) {
	before, commit, err := r.mergedCommits()
	if err != nil {
		return nil, nil, nil, err
	}
	ourDiff, err := r.diff(before, "HEAD")
	if err != nil {
		return nil, nil, nil, err
	}
	theirDiff, err := r.diff(before, commit)
	if err != nil {
		return nil, nil, nil, err
	}
	b := &blobs{repository: r, known: map[string][]byte{}}
	base, ours, theirs = &Tree{blobs: b}, &Tree{blobs: b}, &Tree{blobs: b}
	for _, their := range theirDiff {
		at, both := slices.BinarySearchFunc(ourDiff, their.after.path, func(d difference, path string) int { return strings.Compare(d.after.path, path) })
		if !both {
			continue
		}
		if their.before.mode != 0 {
			base.entries = append(base.entries, their.before)
		}
		ours.entries, theirs.entries = append(ours.entries, ourDiff[at].after), append(theirs.entries, their.after)
	}
	return base, ours, theirs, nil
}

// mergedCommits returns the commit that git merges into the last one, and the base of both. Git
// names the heads of a merge in the environment, and keeps the list of a rebase or of a series of
// cherry-picks in a file.
func (r *Repository) mergedCommits() (base, theirs string, err error) {
	for _, v := range os.Environ() {
		head, found := strings.CutPrefix(v, "GITHEAD_")
		if found && theirs != "" {
			return "", "", errUnknownMerge // of several heads, one after the other
		}
		if found {
			theirs, _, _ = strings.Cut(head, "=")
		}
	}
	if theirs == "" {
		theirs = r.picked()
		base = theirs + "^"
	}
	if !isHash(theirs) {
		return "", "", errUnknownMerge
	}
	if base == "" {
		out, err := r.read(context.Background(), "merge-base", "--all", "HEAD", theirs)
		if err != nil {
			return "", "", err
		}
		if base = strings.TrimSpace(string(out)); !isHash(base) {
			return "", "", errUnknownMerge // of several bases, which git merges first
		}
	}
	return base, theirs, nil
}

// picked returns the current commit of a rebase or a series of cherry-picks; "" if there is none.
func (r *Repository) picked() string {
	var line []byte
	if done, err := os.ReadFile(filepath.Join(r.GitDir, "rebase-merge", "done")); err == nil {
		done = bytes.TrimRight(done, "\n")
		line = done[bytes.LastIndexByte(done, '\n')+1:]
	} else if todo, err := os.ReadFile(filepath.Join(r.GitDir, "sequencer", "todo")); err == nil {
		line, _, _ = bytes.Cut(todo, []byte("\n"))
	}
	words := strings.Fields(string(line)) // pick HASH title
	if len(words) < 2 || words[0] == "revert" {
		return ""
	}
	return words[1]
}

// isHash reports whether a word can be the hash of an object, or the start of one.
func isHash(word string) bool {
	return len(word) >= 4 && strings.Trim(word, "0123456789abcdef") == ""
}

// difference is a file that was added or changed between two commits.
type difference struct{ before, after entry } // before has mode 0 if the file was added

// diff returns the differences between two commits, sorted by path.
func (r *Repository) diff(earlier, commit string) (list []difference, err error) {
	out, err := r.read(context.Background(), "diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=AM", earlier, commit, "--")
	var fields []string // :mode mode hash hash status
	for word := range names(out) {
		if fields == nil {
			fields = strings.Fields(strings.TrimPrefix(word, ":"))
			continue
		}
		if len(fields) != 5 {
			return nil, fmt.Errorf("git diff-tree: %q", fields)
		}
		var modes [2]uint64
		for i := range modes {
			if modes[i], err = strconv.ParseUint(fields[i], 8, 32); err != nil {
				return nil, fmt.Errorf("git diff-tree: mode %s of %s", fields[i], word)
			}
		}
		list = append(list, difference{entry{path: word, hash: fields[2], mode: canonical(modes[0])}, entry{path: word, hash: fields[3], mode: canonical(modes[1])}})
		fields = nil
	}
	return list, err
}
