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

func draftCommand(env cli.Env) *urfave.Command {
	o := options{creates: true}
	write, staged := false, false
	return &urfave.Command{
		Name: "draft", Usage: "draft an entry for each heading without one", ArgsUsage: "[--staged] [--write]",
		Flags: o.flags(
			&urfave.BoolFlag{Name: "write", Usage: "add the drafts to the index", Destination: &write},
			&urfave.BoolFlag{Name: "staged", Usage: "only for the headings that are new in the commit; exit with 1 if there are any", Destination: &staged},
		),
		Action: noArguments("use entry add for one heading", func(cmd *urfave.Context) error {
			o.dryRun = !write
			if staged {
				return o.draftStaged(env, cmd)
			}
			return o.edit(env, cmd, func(s *entryEditor) (editResult, error) {
				missing := s.Missing()
				if len(missing) == 0 && s.corpus.IndexMissing {
					return editResult{}, errors.New("the decision files have no heading to draft an entry for: write one below their title, with ## before it")
				}
				return s.draft(missing, "")
			})
		}),
	}
}

// draft computes the corpus with an entry for each of some headings. A heading that seems to be a renamed
// one is left to a person: a second entry would hide the first. So are the findings about a draft, which
// mostly has too few words. What is left ends with then.
func (s *entryEditor) draft(missing []validate.Missing, then string) (editResult, error) {
	var result editResult
	var entries []validate.Entry
	for _, m := range missing {
		file, h := s.Heading(m.Place)
		if m.Older >= 0 {
			result.left = append(result.left, finding.Finding{Path: file.Path, Line: h.Line, Column: 1, Rule: "missing-entry",
				Message: fmt.Sprintf("no entry for heading %q: %s seems to be its entry, with an older title: run \"%s\"%s", h.Title, s.at(m.Older), s.Renaming(m.Older, m.Place), then)})
			continue
		}
		entries = append(entries, m.Entry)
		result.changes = append(result.changes, entryChange{"added", m.Line})
	}
	if len(entries) == 0 {
		return result, nil
	}
	var err error
	if result.after, err = s.Insert(entries...); err != nil {
		return editResult{}, err
	}
	result.left = append(result.left, s.Worse(result.after)...)
	result.drafts = validate.CountWording(result.after, s.config).Drafts - s.Unworded().NumDrafts
	return result, nil
}

// draftStaged is for a pre-commit hook: the commit of a decision is to include its entry, which someone
// has worded. Older headings without an entry are left to memory-validate.
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
	if err != nil || len(added) == 0 {
		return cli.SettingsError(err)
	}
	add := "run " + s.config.Typed.Git("add", s.config.Index)
	if r.PartialCommit() {
		add = "commit again, naming " + s.config.Typed.Word(s.config.Index) + " too"
	}
	return o.update(s, func(s *entryEditor) (editResult, error) { return s.draftHeadings(added, "; then "+add) })
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
// and reports all of them.
func (s *entryEditor) draftHeadings(added []newHeading, then string) (editResult, error) {
	missing := map[string]validate.Missing{}
	for _, m := range s.Missing() {
		_, h := s.Heading(m.Place)
		missing[h.Key] = m
	}
	var drafts []validate.Missing
	var left []finding.Finding
	report := func(n newHeading, format string, args ...any) {
		left = append(left, finding.Finding{Path: n.path, Line: n.Line, Column: 1, Rule: "missing-entry",
			Message: fmt.Sprintf("no entry for the new heading %q: ", n.Title) + fmt.Sprintf(format, args...)})
	}
	drafted := map[string]newHeading{} // by the drafted line
	for _, n := range added {
		m, isMissing := missing[n.Key]
		if isMissing {
			drafts = append(drafts, m)
			if m.Older < 0 {
				drafted[m.Line] = n
			}
		} else if line := s.naming(n.Key); line >= 0 {
			report(n, "%s has one that is not in the commit: review it%s", s.at(line), then)
		} else {
			report(n, "the worktree does not have this heading: run %s again", s.config.Typed.Git("add", n.path))
		}
	}
	result, err := s.draft(drafts, then)
	if err != nil {
		return result, err
	}
	if result.after != nil {
		for _, l := range result.after.Index.Lines {
			if n, known := drafted[result.after.Index.Text(l)]; known {
				report(n, "%s:%d is a draft: reword it%s", s.config.Typed.Path(s.config.Index), l.Number, then)
			}
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
