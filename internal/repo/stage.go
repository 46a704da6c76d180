package repo

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Stage puts new contents of staged files into the index, all of them in one git command, which
// takes git's own lock. No filter is applied to the contents. Files in the worktree are not touched.
func (r *Repository) Stage(tree *Tree, contents map[string][]byte) error {
	paths := slices.Sorted(maps.Keys(contents))
	var lines bytes.Buffer
	for _, path := range paths {
		at, err := tree.lookUp(path)
		if err != nil {
			return fmt.Errorf("stage %s: %w", path, err)
		}
		if at < 0 || tree.entries[at].mode == modeLink {
			return fmt.Errorf("stage %s: it is a folder or a link", path)
		}
		hash, err := r.answer(context.Background(), contents[path], "hash-object", "-w", "--stdin", "--no-filters")
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%06o %s 0\t%s\x00", tree.entries[at].mode, strings.TrimSpace(string(hash)), path)
	}
	flagged, err := r.flagged(paths)
	if err != nil {
		return err
	}
	if err := r.updateIndex(lines.Bytes(), "--index-info"); err != nil {
		return err
	}
	for flag, paths := range flagged {
		var lines bytes.Buffer // from the folder git runs in, which need not be the root
		for _, path := range paths {
			fmt.Fprintf(&lines, "%s\x00", filepath.Join(r.Root, filepath.FromSlash(path)))
		}
		if err := r.updateIndex(lines.Bytes(), flag, "--stdin"); err != nil {
			return err
		}
	}
	return nil
}

// flagged returns the files that git ignores in the worktree, by the option of update-index that
// makes it do so. A new entry has no flag, so without the option a file outside of a sparse
// checkout would count as deleted.
func (r *Repository) flagged(paths []string) (map[string][]string, error) {
	args := []string{"ls-files", "-v", "-z", "--full-name", "--"}
	for _, path := range paths {
		args = append(args, fromTop(path))
	}
	out, err := r.read(context.Background(), args...)
	if err != nil {
		return nil, err
	}
	flagged := map[string][]string{}
	for line := range names(out) {
		tag, path, _ := strings.Cut(line, " ")
		if strings.EqualFold(tag, "s") {
			flagged["--skip-worktree"] = append(flagged["--skip-worktree"], path)
		}
		if tag != strings.ToUpper(tag) {
			flagged["--assume-unchanged"] = append(flagged["--assume-unchanged"], path)
		}
	}
	return flagged, nil
}

// updateIndex changes the index. A sparse one is written in full, which a later command reverts:
// git would add a file beside the folder that already holds it. When git writes the index, it
// compares files that are as new as the index, so filters are off; git then compares such a file
// again later.
func (r *Repository) updateIndex(input []byte, args ...string) error {
	noFilters, err := r.noFilters(context.Background())
	if err != nil {
		return err
	}
	_, err = r.answer(context.Background(), input, slices.Concat(noFilters, []string{"-c", "index.sparse=false", "update-index", "-z"}, args)...)
	return err
}
