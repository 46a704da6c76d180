package remember

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/repo"
	"whence/internal/worktree"
	"whence/validate"
)

// draftStagedCommand is for a pre-commit hook: the commit of a decision is to include its entry, so
// this drafts one. Older headings without an entry are left to memory-validate.
func draftStagedCommand(env cli.Env) *urfave.Command {
	o := options{creates: true}
	return &urfave.Command{
		Name: "draft-staged", Usage: "draft entries for the new headings of a commit",
		Description: "For pre-commit hooks. Exits with 1 if there is a new heading without an entry, so that someone rewords and adds the draft.",
		Flags:       o.writeFlags(),
		Action: func(cmd *urfave.Context) error {
			if cmd.Args().Present() {
				return cli.Usagef("unexpected argument %q: all staged files are checked", cmd.Args().First())
			}
			return o.draftStaged(env, cmd)
		},
	}
}

func (o *options) draftStaged(env cli.Env, cmd *urfave.Context) error {
	s, err := o.open(env, cmd)
	if err != nil {
		return err
	}
	defer s.tree.Close()
	r, err := repo.Open(s.tree.Dir, s.env.Dir, s.env.Getenv)
	if err != nil {
		return cli.SettingsError(err)
	}
	added, err := s.stagedHeadings(r)
	var result editResult
	if err == nil && len(added) > 0 {
		result, err = s.update(!o.dryRun && !o.diff, func(s *entryEditor) (editResult, error) { return draftHeadings(s, added, r) })
	}
	if err != nil {
		return cli.SettingsError(err)
	}
	return o.report(env, result)
}

// newHeading is a heading that the commit adds without an entry.
type newHeading struct {
	path string
	decision.Heading
}

// stagedHeadings lists the staged headings that have no entry and whose titles are in no decision file of
// HEAD. A heading that has moved is not new.
func (s *entryEditor) stagedHeadings(r *repo.Repository) ([]newHeading, error) {
	below, err := r.Rel(s.tree.Dir)
	if err != nil {
		return nil, err
	}
	staged, err := r.Staged()
	if err != nil {
		return nil, err
	}
	head, err := r.Head()
	if err != nil {
		return nil, err
	}
	if !validate.TouchesMemory(staged, head, below, s.config) {
		return nil, nil
	}
	files, err := cli.StagedMemory(staged, below, s.config)
	if err != nil {
		return nil, err
	}
	m, err := validate.Load(files, s.config)
	if errors.Is(err, corpus.ErrNoMemory) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	editor := validate.NewEditor(m, s.config)
	missing := editor.Missing()
	if len(missing) == 0 {
		return nil, nil
	}
	old, err := titlesOf(head, below, s.config.Layout())
	if err != nil {
		return nil, err
	}
	var added []newHeading
	for _, at := range missing {
		if file, h := editor.Heading(at.Place); !old[h.Key] {
			added = append(added, newHeading{file.Path, h})
		}
	}
	if len(added) > 0 && r.Replaying() {
		fmt.Fprintln(s.env.Stderr, "memory-remember: no drafts during a rebase or cherry-picks, which would stop at them: afterwards run "+s.config.Typed.Command("memory-remember entry draft --write"))
		return nil, nil
	}
	return added, nil
}

// titlesOf returns the keys of the semantic headings below a folder of the last commit. Files that
// cannot be read are skipped.
func titlesOf(head fs.FS, below string, layout corpus.Layout) (map[string]bool, error) {
	fsys, err := fs.Sub(head, below)
	if err != nil {
		return nil, err
	}
	paths, err := corpus.Paths(fsys, layout)
	if errors.Is(err, fs.ErrNotExist) { // the folder is new
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	titles := map[string]bool{}
	for _, name := range paths {
		src, err := worktree.ReadText(fsys, name)
		if err != nil {
			continue
		}
		if file, err := layout.Parse(name, src); err == nil {
			for _, h := range file.Headings {
				titles[h.Key] = titles[h.Key] || h.Semantic()
			}
		}
	}
	return titles, nil
}

// draftHeadings drafts an entry in the worktree's index for each new heading that has none there either,
// and reports all of them. Of a commit of named files, the index has to be one.
func draftHeadings(s *entryEditor, added []newHeading, r *repo.Repository) (editResult, error) {
	missing := s.Missing()
	typed := s.config.Typed
	indexPath := typed.Path(s.config.Index)
	add := "run " + typed.Git("add", s.config.Index)
	if r.PartialCommit() {
		add = "commit again, naming " + typed.Word(s.config.Index) + " too"
	}
	var drafts []validate.Missing
	var left []finding.Finding
	report := func(n newHeading, format string, args ...any) {
		left = append(left, finding.Finding{Path: n.path, Line: n.Line, Column: 1, Rule: "missing-entry",
			Message: fmt.Sprintf("no entry for the new heading %q: ", n.Title) + fmt.Sprintf(format, args...)})
	}
	drafted := map[string]newHeading{} // by the drafted line
	for _, n := range added {
		at := slices.IndexFunc(missing, func(m validate.Missing) bool {
			_, h := s.Heading(m.Place)
			return h.Key == n.Key
		})
		switch line := s.naming(n.Key); {
		case at >= 0 && missing[at].Older >= 0:
			older := missing[at].Older
			report(n, "%s:%d seems to be its entry, with an older title: run \"%s\"; then %s",
				indexPath, s.Index().Lines[older].Number, s.Renaming(older, missing[at].Place), add)
		case at >= 0 && missing[at].Misspelt >= 0:
			f := s.MisspeltEntry(missing[at])
			f.Message += "; then " + add
			left = append(left, f)
		case at >= 0:
			drafts = append(drafts, missing[at])
			drafted[missing[at].Line] = n
		case line >= 0:
			report(n, "%s:%d has one that is not in the commit: review it; then %s", indexPath, s.Index().Lines[line].Number, add)
		default:
			report(n, "the worktree does not have this heading: run %s again", typed.Git("add", n.path))
		}
	}
	result, err := insertDrafts(s, drafts)
	if err != nil || result.after == nil {
		result.left = left
		return result, err
	}
	for _, l := range result.after.Index.Lines {
		if n, known := drafted[result.after.Index.Text(l)]; known {
			report(n, "%s:%d is a draft: reword it; then %s", indexPath, l.Number, add)
		}
	}
	result.left = append(left, result.left...)
	finding.Sort(result.left)
	return result, nil
}

// naming returns the first line of the index whose title has a key, or -1.
func (s *entryEditor) naming(key string) int {
	return slices.IndexFunc(s.Index().Lines, func(l index.Line) bool {
		return (l.Kind == index.EntryLine || l.Kind == index.Malformed) && decision.Key(l.Entry.Title.Text) == key
	})
}
