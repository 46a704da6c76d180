package validate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/cli"
	"whence/internal/files"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/repo"
	"whence/internal/textdiff"
	"whence/internal/worktree"
)

// followAll makes changes of staged files on their copies in the worktree. A copy that
// does not take its change is left as it is, and this is said.
func followAll(env cli.Env, r *repo.Repository, staged *repo.Tree, below string, changes []Change) error {
	tree, err := worktree.Open(r.Root) // a link may lead out of the folder of the memory
	if err != nil {
		return err
	}
	defer tree.Close()
	done := map[string]bool{}
	for _, change := range changes {
		real, err := staged.Resolve(path.Join(below, change.Path))
		if err == nil && !done[real] {
			done[real] = true
			err = follow(tree, real, change)
		}
		if err != nil {
			fmt.Fprintf(env.Stderr, "memory-validate: %s is fixed in the commit, but not in the worktree: %s\n", finding.Printable(change.Path), finding.Printable(err.Error()))
		}
	}
	return nil
}

// follow makes the change of a staged file on its copy in the worktree, if there is
// one.
func follow(tree *worktree.Tree, path string, change Change) error {
	for attempt := 1; ; attempt++ {
		ours, err := fs.ReadFile(tree.FS(), path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // deleted, and this not staged
		}
		if err != nil {
			return err
		}
		merged, clean := mergeCopy(change, ours)
		if !clean && !utf8.Valid(ours) {
			return fmt.Errorf("it is not UTF-8 text there; if it has no changes of its own, \"git checkout -- %s\" restores what is staged", path)
		}
		if !clean {
			return errors.New("it has other changes in the same lines; memory-validate --fix fixes it there")
		}
		err = tree.Replace(path, ours, merged)
		if !errors.Is(err, files.ErrChanged) || attempt == attempts {
			return err
		}
	}
}

// mergeCopy merges a change of staged text with the text of the worktree, whose lines
// may end otherwise: git converts line ends on the way in. Clean tells that nothing has
// been lost.
func mergeCopy(change Change, ours []byte) (merged []byte, clean bool) {
	theirs := likeLineEnds(change.After, ours)
	merged, clean = textdiff.Merge(likeLineEnds(change.Before, ours), ours, theirs)
	return merged, clean && keepsCopies(merged, ours, theirs)
}

// keepsCopies tells whether what two texts both hold is in their merge as often as in
// the text that has fewer copies. It is not where the fix has removed one of two copies
// of an entry, and the user the other one: each was right, both together lose it.
func keepsCopies(merged, ours, theirs []byte) bool {
	count, our := copies(merged), copies(ours)
	for line, n := range copies(theirs) {
		if count[line] < min(n, our[line]) {
			return false
		}
	}
	return true
}

// copies counts the lines of a text that say something: entries by what is behind their
// triggers, since a fix rewrites these before it finds two entries equal.
func copies(text []byte) map[string]int {
	count := map[string]int{}
	f := index.Parse(text)
	for _, line := range f.Lines {
		said := strings.TrimSpace(f.Text(line))
		if line.Kind == index.EntryLine {
			said = line.Entry.Title.Text + "\n" + line.Entry.Description.Text
		}
		if strings.ContainsFunc(said, unicode.IsLetter) {
			count[said]++
		}
	}
	return count
}

// likeLineEnds gives a text the line ends of another one, if that has CRLF throughout.
func likeLineEnds(text, model []byte) []byte {
	crlf := []byte("\r\n")
	if n := bytes.Count(model, crlf); n == 0 || n != bytes.Count(model, []byte("\n")) || bytes.Contains(text, crlf) {
		return text
	}
	return bytes.ReplaceAll(text, []byte("\n"), crlf)
}
