package remember

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"whence/internal/cli"
	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/text"
	"whence/internal/worktree"
	"whence/validate"
	"whence/when"
)

// fileChange is a file before and after an edit; nil where there is none.
type fileChange struct {
	path          string
	before, after []byte
}

// update computes an edit and, if write is set, writes it. If another process has changed a file
// meanwhile, it starts again from the new files.
func (s *entryEditor) update(write bool, work func(*entryEditor) (editResult, error)) (editResult, error) {
	var result editResult
	err := worktree.Retry(func() (err error) {
		result, err = s.tryUpdate(write, work)
		return err
	})
	return result, err
}

func (s *entryEditor) tryUpdate(write bool, work func(*entryEditor) (editResult, error)) (editResult, error) {
	m, err := s.load()
	if err != nil {
		return editResult{}, err
	}
	result, err := work(s)
	if err != nil || result.after == nil || len(result.refused) > 0 || result.missed != nil {
		return result, err
	}
	if !write {
		return result, nil
	}
	err = writeAll(s.tree.Strict(), changes(m, result.after))
	result.written = err == nil
	return result, err
}

func (s *entryEditor) load() (*corpus.Corpus, error) {
	memory, err := cli.Memory(s.env, s.tree, s.config)
	if err != nil {
		return nil, err
	}
	m, err := validate.Load(memory, s.config)
	if err != nil {
		return nil, err
	}
	if m.IndexMissing && !s.creates {
		return nil, fmt.Errorf("there is no memory index %s: run \"%s\", which makes it from the decision files; --index names another file", s.config.Typed.Path(s.config.Index), s.config.Typed.Command("memory-remember entry draft --write"))
	}
	s.Editor, s.corpus = validate.NewEditor(m, s.config), m
	return m, nil
}

// changes lists the files that differ, decision files first, since situations without their entry are
// harmless.
func changes(before, after *corpus.Corpus) []fileChange {
	var files []fileChange
	for i, file := range before.Decisions {
		if now := after.Decisions[i].Source; !bytes.Equal(file.Source, now) {
			files = append(files, fileChange{file.Path, file.Source, now})
		}
	}
	if !bytes.Equal(before.Index.Source, after.Index.Source) {
		files = append(files, fileChange{before.IndexPath, before.Index.Source, after.Index.Source})
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

// editResult is a computed edit of a corpus, before anything is written.
type editResult struct {
	changes []entryChange
	notes   []string          // remarks
	refused []finding.Finding // why nothing may be written
	left    []finding.Finding // for the user to fix after the write
	missed  *when.NotFound    // the named entry or heading does not exist
	drafts  int               // how many entries more are drafts
	after   *corpus.Corpus    // the new corpus; nil if nothing changes
	written bool
}

// entryChange is a change of one line; verbs has its action.
type entryChange struct{ action, line string }

// verbs are the words for actions, done and previewed.
var verbs = map[string][2]string{
	"added":   {"Added", "Would add"},
	"removed": {"Removed", "Would remove"},
	"changed": {"Changed", "Would change"},
	"known":   {"Already there", "Already there"},
}

// report prints a result, and why there is none.
func (o *options) report(env cli.Env, result editResult) error {
	if result.written && result.drafts > 0 {
		result.notes = append(result.notes, validate.DraftsWritten(result.drafts, o.typed))
	}
	if len(result.refused) == 0 {
		for _, c := range result.changes {
			verb := verbs[c.action][1]
			if result.written {
				verb = verbs[c.action][0]
			}
			if _, err := fmt.Fprintf(env.Stdout, "%s: %s\n", verb, text.Printable(c.line)); err != nil {
				return err
			}
		}
	}
	if err := finding.Write(env.Stdout, "text", finding.Report{Findings: finding.Placed(result.left, o.typed.Path)}, false); err != nil {
		return err
	}
	if result.missed != nil {
		fmt.Fprintf(env.Stderr, "memory-remember: %s\n", text.Printable(result.missed.What))
		for _, s := range result.missed.Suggestions {
			fmt.Fprintf(env.Stderr, "- %s\n", text.Printable(strings.TrimSuffix(s.Command+"  # "+s.Why, "  # ")))
		}
	}
	if len(result.refused) > 0 {
		fmt.Fprintln(env.Stderr, "memory-remember: nothing was written, since memory-validate would reject the result:")
		if err := finding.Write(env.Stderr, "text", finding.Report{Findings: finding.Placed(result.refused, o.typed.Path)}, false); err != nil {
			return err
		}
	}
	if !o.quiet { // after the refusals, which they help to resolve
		for _, note := range result.notes {
			fmt.Fprintf(env.Stderr, "memory-remember: %s\n", text.Printable(note))
		}
	}
	if result.missed != nil || len(result.refused)+len(result.left) > 0 {
		return cli.ErrFound
	}
	return nil
}

// command returns the query for an entry.
func command(e index.Entry) string { return "/" + e.Operator + " " + e.Trigger.Text }
