package repo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Dirty reports whether a file, named by its path on disk with all links resolved, has changes that
// git could not restore: it is tracked, and differs from what is staged. Without git it returns false.
func (r *Repository) Dirty(ctx context.Context, path string) (bool, error) {
	name, err := r.Rel(path)
	if err != nil {
		return false, err
	}
	out, err := r.compare(ctx, "status", "--porcelain", "-z", "--untracked-files=no", "--no-renames", "--ignore-submodules=all", "--", fromTop(name))
	if noGit(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	// a blank as second letter: unchanged since it was staged, so "git checkout -- PATH" restores it
	return len(out) > 1 && out[1] != ' ', nil
}

// Recent returns the current branch, if any, and at most maxFiles files that the last three commits
// changed, the newest first. It omits what it cannot read.
func (r *Repository) Recent(ctx context.Context, maxFiles int) (branch string, files []string) {
	head, err := os.ReadFile(filepath.Join(r.GitDir, "HEAD"))
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
	seen := map[string]bool{}
	for name := range names(out) {
		if !seen[name] && len(files) < maxFiles {
			seen[name] = true
			files = append(files, name)
		}
	}
	return branch, files
}

// compare runs a git command that may read files of the worktree, without filters.
func (r *Repository) compare(ctx context.Context, args ...string) ([]byte, error) {
	noFilters, err := r.noFilters(ctx)
	if err != nil {
		return nil, err
	}
	return r.read(ctx, slices.Concat(noFilters, args)...)
}

// noFilters returns options that switch off each filter that any settings define: git has no option
// for all of them.
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
			return nil, fmt.Errorf("the settings of git have a filter that cannot be switched off, because there is a = in its name: %s", key)
		}
		options = append(options, "-c", key+".clean=", "-c", key+".smudge=", "-c", key+".process=", "-c", key+".required=false")
	}
	return options, nil
}
