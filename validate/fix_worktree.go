package validate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/index"
	"whence/internal/merge"
	"whence/internal/text"
	"whence/internal/worktree"
)

// followAll makes the changes of staged files on their copies in the worktree, and returns those
// that it wrote. A copy that cannot take its change is left alone, and standard error says why.
// Staged says that the change was made in git's index already: then a copy may be missing.
func followAll(a advice, changes []Change, staged bool) (written []Change, err error) {
	again := a.typed.Command("memory-validate --fix")
	if a.unsafe {
		again = a.typed.Command("memory-validate --unsafe-fixes")
	}
	if staged && a.git.LefthookHides() { // it restores the worktree as it was, by line numbers
		fmt.Fprintf(a.env.Stderr, "memory-validate: fixed in the commit alone, since lefthook restores what is not staged: then run %s\n", again)
		return nil, nil
	}
	tree, err := worktree.Open(a.git.Root)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	absent, err := a.git.NotCheckedOut(func(name string) bool {
		return slices.ContainsFunc(changes, func(change Change) bool { return path.Join(a.below, change.Path) == name })
	})
	if err != nil {
		return nil, err
	}
	for _, change := range changes {
		name := path.Join(a.below, change.Path)
		if slices.Contains(absent, name) {
			continue
		}
		wrote, err := follow(tree.Strict(), name, change)
		if wrote {
			written = append(written, change)
		}
		isGone := errors.Is(err, fs.ErrNotExist)
		if err == nil || isGone && staged { // deleted without staging that
			continue
		}
		outcome := "is not fixed"
		if staged {
			outcome = "is fixed in the commit, but not in the worktree"
		}
		restore := a.typed.Git("checkout --", change.Path)
		if isGone {
			err = fmt.Errorf("it was deleted there; \"%s\" restores it", restore)
		} else if errors.Is(err, errNotText) {
			err = fmt.Errorf("%w; if it has no changes of its own, \"%s\" restores what is staged", err, restore)
		} else if errors.Is(err, errOverlaps) {
			err = fmt.Errorf("%w; \"%s\" fixes it there", err, again)
		}
		fmt.Fprintf(a.env.Stderr, "memory-validate: %s %s: %s\n", text.Printable(a.typed.Path(change.Path)), outcome, text.Printable(err.Error()))
	}
	if len(absent) > 0 && !staged {
		fmt.Fprintf(a.env.Stderr, "memory-validate: %s: not fixed, since git has not checked it out here; first run \"%s\"\n",
			text.Printable(strings.Join(absent, ", ")), text.Printable(a.git.CheckOut(absent, a.git.StartedIn(a.env.Dir, a.env.Getenv))))
	}
	return written, nil
}

// Why a copy in the worktree cannot take a change.
var (
	errNotText  = errors.New("it is not UTF-8 text there")
	errOverlaps = errors.New("it has other changes in the same lines")
)

// follow makes the change of a staged file on its copy in the worktree, unless it is there already.
func follow(tree *worktree.Tree, path string, change Change) (wrote bool, err error) {
	err = worktree.Retry(func() error {
		ours, err := fs.ReadFile(tree.FS(), path)
		if err != nil {
			return err
		}
		merged, clean := mergeCopy(change, ours)
		if !clean && !utf8.Valid(ours) {
			return errNotText
		}
		if !clean {
			return errOverlaps
		}
		wrote = !bytes.Equal(merged, ours)
		return tree.Replace(path, ours, merged)
	})
	return wrote && err == nil, err
}

// mergeCopy merges a change of staged text with the text of the worktree, whose lines
// may have other line ends: git converts them when it stages. Clean reports that nothing
// was lost.
func mergeCopy(change Change, ours []byte) (merged []byte, clean bool) {
	theirs := likeLineEnds(change.After, ours)
	merged, clean = merge.CleanLines(likeLineEnds(change.Before, ours), ours, theirs)
	return merged, clean && keepsCopies(merged, ours, theirs)
}

// keepsCopies reports whether the merge has each line that both texts have, as often as the
// text with fewer copies. It does not if the fix removed one of two copies of an entry and
// the user the other: together they would lose it.
func keepsCopies(merged, ours, theirs []byte) bool {
	count, our := copies(merged), copies(ours)
	for line, n := range copies(theirs) {
		if count[line] < min(n, our[line]) {
			return false
		}
	}
	return true
}

// copies counts the lines of a text that have letters. Entries count by title and
// description, since a fix normalizes triggers before it compares entries.
func copies(text []byte) map[string]int {
	count := map[string]int{}
	f := index.Parse(text)
	for _, line := range f.Lines {
		content := strings.TrimSpace(f.Text(line))
		if line.Kind == index.EntryLine {
			content = line.Entry.Title.Text + "\n" + line.Entry.Description.Text
		}
		if strings.ContainsFunc(content, unicode.IsLetter) {
			count[content]++
		}
	}
	return count
}

// likeLineEnds converts a text to CRLF if the model has CRLF throughout.
func likeLineEnds(text, model []byte) []byte {
	crlf := []byte("\r\n")
	if n := bytes.Count(model, crlf); n == 0 || n != bytes.Count(model, []byte("\n")) || bytes.Contains(text, crlf) {
		return text
	}
	return bytes.ReplaceAll(text, []byte("\n"), crlf)
}
