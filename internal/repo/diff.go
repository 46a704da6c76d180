package repo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// FileChange is the difference between a committed and a staged file. A renamed file has two, one for each name.
type FileChange struct {
	Path           string
	Added, Removed string // lines with their line ends; "" for a binary file
}

// StagedSince returns the changes of staged files since a commit, in the order of their paths; "" is the last commit.
func (r *Repository) StagedSince(ctx context.Context, commit string) ([]FileChange, error) {
	diff := func(commit string) ([]byte, error) {
		return r.read(ctx, "diff-index", "--cached", "-p", "-U0", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative", "--submodule=short",
			"--src-prefix=a/", "--dst-prefix=b/", "--ita-invisible-in-index", commit, "--")
	}
	out, err := diff(cmp.Or(commit, "HEAD"))
	if commit == "" && exitedWith(err, statusFatal) { // there may be no commit yet
		out, err = diff(r.emptyTree())
	}
	if err != nil {
		return nil, err
	}
	return parsePatch(out)
}

// parsePatch reads a patch of git diff-index without context lines.
func parsePatch(patch []byte) (files []FileChange, err error) {
	var added, removed strings.Builder
	isContent := false // past the lines that name a file
	end := func() {
		if len(files) > 0 {
			last := &files[len(files)-1]
			last.Added, last.Removed = added.String(), removed.String()
		}
		added.Reset()
		removed.Reset()
	}
	for line := range bytes.Lines(patch) {
		if names, begins := bytes.CutPrefix(line, []byte("diff --git ")); begins {
			end()
			name := string(names[:(len(names)-1)/2]) // the first of two names of equal length, one for each side
			if unquoted, err := strconv.Unquote(name); err == nil {
				name = unquoted
			}
			name, known := strings.CutPrefix(name, "a/")
			if !known {
				return nil, fmt.Errorf("git diff-index: an answer that is not understood: %q", line)
			}
			files, isContent = append(files, FileChange{Path: name}), false
			continue
		}
		switch {
		case line[0] == '@':
			isContent = true
		case isContent && line[0] == '+':
			added.Write(line[1:])
		case isContent && line[0] == '-':
			removed.Write(line[1:])
		}
	}
	end()
	return files, nil
}

// ForkPoint returns the commit at which HEAD forked from a revision: the revision itself if HEAD descends from it.
func (r *Repository) ForkPoint(ctx context.Context, revision string) (commit string, err error) {
	out, err := r.read(ctx, "merge-base", "--end-of-options", revision, "HEAD")
	if failed := (*commandError)(nil); errors.As(err, &failed) {
		if _, unknown := r.read(ctx, "rev-parse", "--quiet", "--verify", "--end-of-options", revision+"^{commit}"); unknown != nil {
			return "", fmt.Errorf("unknown revision %q; a shallow clone, or one of a single branch, may lack it: fetch it", revision)
		}
		return "", fmt.Errorf("HEAD and %q have no commit in common here; a shallow clone may lack it: fetch more of the history", revision)
	}
	return strings.TrimSpace(string(out)), err
}

// proseNames lists the extensions of files with text for people.
var proseNames = []string{".md", ".markdown", ".mdc", ".mdx", ".rst", ".adoc"}

// IsProse reports whether a path names a text for people, not code.
func IsProse(name string) bool { return slices.Contains(proseNames, strings.ToLower(path.Ext(name))) }

// InStagedCode returns a line for each occurrence of the wanted words, as whole words, in staged files other than
// prose.
func (r *Repository) InStagedCode(ctx context.Context, wanted []string) (matches string, err error) {
	args := []string{"grep", "--cached", "-I", "-F", "-w", "-o", "-h", "--no-line-number", "--no-column", "--no-color", "-f", "-", "--", ":(top)"}
	for _, ending := range proseNames {
		args = append(args, ":(top,exclude,icase)*"+ending)
	}
	out, err := r.answer(ctx, []byte(strings.Join(wanted, "\n")+"\n"), args...)
	if exitedWith(err, 1) { // no match
		err = nil
	}
	return string(out), err
}
