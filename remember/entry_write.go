package remember

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/inert"
	"whence/internal/memory"
	"whence/internal/worktree"
	"whence/validate"
	"whence/when"
)

// editResult is a computed edit of a memory, before anything is written.
type editResult struct {
	changes []entryChange
	notes   []string          // remarks
	refused []finding.Finding // why nothing may be written
	left    []finding.Finding // for the user to fix after the write
	drafts  int               // how many more entries are drafts
	after   *memory.Memory    // the new memory; nil if nothing changes
	written bool
}

// entryChange is a change of one line; its action is a key of verbs.
type entryChange struct{ action, line string }

// verbs are the words for actions, done and previewed.
var verbs = map[string][2]string{
	"added":   {"Added", "Would add"},
	"removed": {"Removed", "Would remove"},
	"changed": {"Changed", "Would change"},
	"known":   {"Already there", "Already there"},
}

// update computes an edit and, if write is set, writes it. If another process has changed a file
// meanwhile, it starts again from the new files.
func (r *entryRepository) update(write bool, work func(*attempt) (editResult, error)) (result editResult, err error) {
	err = worktree.Retry(func() error {
		a, err := r.load()
		if err != nil {
			return err
		}
		result, err = work(a)
		if err != nil || result.after == nil || len(result.refused) > 0 || !write {
			return err
		}
		err = writeAll(r.tree.Strict(), changes(a.Memory, result.after))
		result.written = err == nil
		return err
	})
	return result, err
}

// fileChange is a file before and after an edit; nil means that it does not exist.
type fileChange struct {
	path          string
	before, after []byte
}

// changes lists the files that differ or are new. Decision files come first, because situations without their entry are
// harmless.
func changes(before, after *memory.Memory) []fileChange {
	var files []fileChange
	for _, file := range after.Files {
		var was []byte
		if old := before.File(file.Path); old != nil {
			was = old.Source
		}
		if !bytes.Equal(was, file.Source) {
			files = append(files, fileChange{file.Path, was, file.Source})
		}
	}
	if !bytes.Equal(before.Index.Source, after.Index.Source) {
		files = append(files, fileChange{before.Layout.Index, before.Index.Source, after.Index.Source})
	}
	return files
}

// writeAll writes all files or none: if one cannot be written, it restores those before it.
func writeAll(tree *worktree.Tree, files []fileChange) error {
	for n, file := range files {
		err := tree.Replace(file.path, file.before, file.after)
		if err == nil {
			continue
		}
		err = fmt.Errorf("write %s: %w", file.path, err)
		for _, done := range files[:n] {
			if undone := tree.Replace(done.path, done.after, done.before); undone != nil {
				err = errors.Join(err, fmt.Errorf("%s was changed and could not be restored: %v", done.path, undone))
			}
		}
		return err
	}
	return nil
}

// report prints what an edit did, or why it did nothing.
func (r *entryRepository) report(result editResult, err error, quiet bool) error {
	if missed := (*when.NotFound)(nil); errors.As(err, &missed) {
		_ = reportFailure(r.env, missed.What)
		for _, suggested := range missed.Suggestions {
			fmt.Fprintf(r.env.Stderr, "- %s\n", inert.Printable(strings.TrimSuffix(suggested.Command+"  # "+suggested.Why, "  # ")))
		}
		if left := missed.Left(); left != "" {
			fmt.Fprintln(r.env.Stderr, left)
		}
		return cli.ErrFound
	}
	if err != nil {
		return cli.SettingsError(err)
	}
	if len(result.refused) > 0 {
		fmt.Fprintln(r.env.Stderr, "memory-remember: nothing was written, since memory-validate would reject the result:")
		if err := r.print(r.env.Stderr, result.refused); err != nil {
			return err
		}
	} else if err := r.printChanges(result); err != nil {
		return err
	}
	if result.written && result.drafts > 0 {
		result.notes = append(result.notes, validate.DraftsWritten(result.drafts, r.config.Typed))
	}
	if !quiet {
		for _, note := range result.notes {
			fmt.Fprintf(r.env.Stderr, "memory-remember: %s\n", inert.Printable(note))
		}
	}
	if len(result.refused)+len(result.left) > 0 {
		return cli.ErrFound
	}
	return nil
}

// printChanges prints what was done, or would be, and what is left to do.
func (r *entryRepository) printChanges(result editResult) error {
	inert.SayWhose(r.env.Stdout, inert.FromFindings)
	for _, c := range result.changes {
		verb := verbs[c.action][1]
		if result.written {
			verb = verbs[c.action][0]
		}
		if _, err := fmt.Fprintf(r.env.Stdout, "%s: %s\n", verb, inert.Printable(c.line)); err != nil {
			return err
		}
	}
	return r.print(r.env.Stdout, result.left)
}

func (r *entryRepository) print(w io.Writer, findings []finding.Finding) error {
	return finding.Write(w, "text", finding.Report{Findings: finding.Placed(findings, r.config.Typed.Place)}, false)
}
