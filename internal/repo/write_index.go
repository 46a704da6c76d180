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

// Stage puts new contents of staged files into the index. A single git command, which takes git's own lock, writes them
// all. It applies no filters to the contents, and does not touch files in the worktree.
func (r *Repository) Stage(tree *Tree, contents map[string][]byte) error {
	paths := slices.Sorted(maps.Keys(contents))
	var lines bytes.Buffer
	var options []string
	for _, path := range paths {
		e, err := tree.lookUp(path)
		if err != nil {
			return fmt.Errorf("stage %s: %w", path, err)
		}
		if e.isFolder() || e.mode == modeLink {
			return fmt.Errorf("stage %s: it is a folder or a link", path)
		}
		hash, err := r.answer(context.Background(), contents[path], "hash-object", "-w", "--stdin", "--no-filters")
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%06o %s 0\t%s\x00", e.mode, strings.TrimSpace(string(hash)), path)
		options = append(options, "--cacheinfo", fmt.Sprintf("%06o,%s,%s", e.mode, strings.TrimSpace(string(hash)), path))
	}
	skipped, err := r.skipped(paths)
	if err != nil {
		return err
	}
	if len(skipped) == 0 {
		return r.updateIndex(lines.Bytes(), "--index-info")
	}
	return r.updateIndex(nil, slices.Concat(options, []string{"--skip-worktree", "--"}, skipped)...) // one command: a kill leaves no half of it
}

// skipped returns, by their paths on disk, those of some files that git leaves out of the worktree. Their new entries
// must be marked again, or a file outside a sparse checkout would count as deleted.
func (r *Repository) skipped(paths []string) (skipped []string, err error) {
	args := []string{"ls-files", "-t", "-z", "--full-name", "--"}
	for _, path := range paths {
		args = append(args, fromTop(path))
	}
	out, err := r.read(context.Background(), args...)
	for line := range names(out) {
		if tag, path, _ := strings.Cut(line, " "); tag == "S" {
			skipped = append(skipped, filepath.Join(r.Root, filepath.FromSlash(path)))
		}
	}
	return skipped, err
}

// updateIndex changes the index. It writes a sparse index in full, since git would otherwise add a file beside the
// folder that already holds it; a later command makes it sparse again. Filters are off, because git, when it writes the
// index, compares files that are as new as the index. It compares such files again later.
func (r *Repository) updateIndex(input []byte, args ...string) error {
	noFilters, err := r.noFilters(context.Background())
	if err != nil {
		return err
	}
	_, err = r.answer(context.Background(), input, slices.Concat(noFilters, []string{"-c", "index.sparse=false", "update-index", "-z"}, args)...)
	return err
}

// noFilters returns options that switch off every filter in the settings, one by one, since git has no option for all.
func (r *Repository) noFilters(ctx context.Context) (options []string, err error) {
	out, err := r.read(ctx, "config", "--null", "--name-only", "--get-regexp", `^filter\.`)
	if exitedWith(err, 1) {
		return nil, nil // no filter
	}
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for key := range names(out) {
		key = key[:strings.LastIndexByte(key, '.')]
		if seen[key] {
			continue
		}
		if seen[key] = true; strings.Contains(key, "=") {
			return nil, fmt.Errorf("the settings of git have a filter that cannot be switched off, because there is a = in its name; rename it: %s", key)
		}
		options = append(options, "-c", key+".clean=", "-c", key+".smudge=", "-c", key+".process=", "-c", key+".required=false")
	}
	return options, nil
}
