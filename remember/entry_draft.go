package remember

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/repo"
	"whence/validate"
)

// draftCommand prints what is to be worded; with --write it adds the entries that are missing instead.
func draftCommand(env cli.Env) *urfave.Command {
	var o options
	write, staged := false, false
	format, maxEntries := "text", defaultEntries
	return &urfave.Command{
		Name: "draft", Usage: "print the entries to word, or draft missing ones", ArgsUsage: "[--format json] [--max N] | [--staged] --write",
		Flags: o.flags(
			&urfave.StringFlag{Name: "format", Usage: "print as `FORMAT`: text or json", Value: format, Destination: &format},
			&urfave.IntFlag{Name: "max", Usage: "print at most `N` entries to word", Value: maxEntries, Destination: &maxEntries},
			&urfave.BoolFlag{Name: "write", Usage: "add a draft to the index for each heading without an entry", Destination: &write},
			&urfave.BoolFlag{Name: "staged", Usage: "only for the headings that are new in the commit; exit with 1 if there are any", Destination: &staged},
		),
		Action: noArguments(func(cmd *urfave.Context) error {
			if (write || staged) && (cmd.IsSet("format") || cmd.IsSet("max")) {
				return cli.Usagef("--format and --max are for what is to be worded: leave them out, or --write and --staged")
			}
			if maxEntries < 1 {
				return cli.Usagef("--max %d: use 1 or more", maxEntries)
			}
			if err := cli.Format(format, "text", "json"); err != nil {
				return err
			}
			o.dryRun = !write
			if staged {
				return o.draftStaged(env, cmd)
			}
			if write {
				return o.edit(env, cmd, (*attempt).draftMissing)
			}
			return o.printUnworded(env, cmd, format, maxEntries)
		}),
	}
}

// draftMissing computes the memory with an entry for each heading that has none.
func (a *attempt) draftMissing() (editResult, error) {
	missing := a.Missing()
	if len(missing) == 0 && a.IndexMissing {
		return editResult{}, errors.New("the decision files have no heading to draft an entry for: write one below their title, with ## before it")
	}
	return a.draft(missing, "")
}

// draft computes the memory with an entry for each missing one. A heading that seems renamed, or that a malformed line
// names, is left to a person, in a finding that ends with then: a second entry would hide the first. So are the
// findings about drafts, which mostly have too few words.
func (a *attempt) draft(missing []validate.Missing, then string) (editResult, error) {
	var result editResult
	var entries []validate.Insertion
	for _, m := range missing {
		h := m.Heading
		if m.Older != nil {
			result.left = append(result.left, finding.Finding{Path: h.File.Path, Line: h.Line, Column: 1, Rule: "missing-entry",
				Message: fmt.Sprintf("no entry for heading %q: %s seems to be its entry, with an older title: run \"%s\"%s", h.Title, a.at(m.Older), a.Renaming(m.Older, h), then)})
			continue
		}
		if m.Line > 0 {
			result.left = append(result.left, finding.Finding{Path: h.File.Path, Line: h.Line, Column: 1, Rule: "missing-entry",
				Message: fmt.Sprintf("no entry for heading %q: %s%s", h.Title, m.LineAdvice(a.config.Typed.Path(a.config.Index)), then)})
			continue
		}
		entries = append(entries, m.Insertion)
		result.changes = append(result.changes, entryChange{"added", m.Text})
	}
	if len(entries) == 0 {
		return result, nil
	}
	var err error
	if result.after, err = a.Insert(entries...); err != nil {
		return editResult{}, err
	}
	result.left = append(result.left, a.Worse(result.after)...)
	result.drafts = validate.CountWording(result.after, a.config).Drafts - len(a.Unworded().Drafts)
	return result, nil
}

// draftStaged is for a pre-commit hook: the commit of a decision must include its entry, worded by someone.
// Older headings without an entry are left to memory-validate.
func (o *options) draftStaged(env cli.Env, cmd *urfave.Context) error {
	r, err := o.open(env, cmd)
	if err != nil {
		return err
	}
	defer r.tree.Close()
	git, err := repo.Open(r.tree.Dir, env.Dir, env.Getenv)
	if err != nil {
		return cli.SettingsError(err)
	}
	added, err := r.stagedHeadings(git)
	if err != nil || len(added) == 0 {
		return cli.SettingsError(err)
	}
	if git.Replaying() {
		fmt.Fprintln(env.Stderr, "memory-remember: no drafts during a rebase or cherry-picks, which would stop at them: afterwards run "+r.typed("memory-remember entry draft --write"))
		return nil
	}
	then := "; then run " + r.config.Typed.Git("add", r.config.Index)
	if git.PartialCommit() {
		then = "; then commit again, naming " + r.config.Typed.Word(r.config.Index) + " too"
	}
	result, err := r.update(!o.dryRun, func(a *attempt) (editResult, error) { return a.draftAdded(added, then) })
	return r.report(result, err, o.quiet)
}

// stagedHeadings lists the staged headings that have no entry and whose titles are in no decision file of
// HEAD. A heading that has moved is not new.
func (r *entryRepository) stagedHeadings(git *repo.Repository) (added []*memory.Heading, err error) {
	below, err := git.Rel(r.tree.Dir)
	if err != nil {
		return nil, err
	}
	staged, err := git.Staged()
	if err != nil {
		return nil, err
	}
	head, err := git.Head()
	if err != nil || !validate.TouchesMemory(staged, head, below, r.config) {
		return nil, err
	}
	m, err := r.committed(staged, below)
	if err != nil || m == nil {
		return nil, err
	}
	before, err := r.committed(head, below)
	if err != nil {
		return nil, err
	}
	old := map[string]bool{}
	if before != nil {
		for _, h := range before.Headings {
			old[h.Key] = old[h.Key] || h.Semantic()
		}
	}
	editor := validate.NewEditor(m, r.config)
	for _, missing := range editor.Missing() {
		if h := missing.Heading; !old[h.Key] {
			added = append(added, h)
		}
	}
	return added, nil
}

// committed returns the memory in a folder of a git tree, or nil if there is none.
func (r *entryRepository) committed(tree *repo.Tree, below string) (*memory.Memory, error) {
	files, err := memory.OpenCommit(tree, below, r.config.Layout(), r.config.Typed)
	if errors.Is(err, fs.ErrNotExist) { // the folder is new
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m, err := validate.Load(files, r.config)
	if errors.Is(err, memory.ErrNoMemory) {
		return nil, nil
	}
	return m, err
}

// draftAdded drafts an entry in the worktree's index for each new heading that has none there either, and
// reports all of them.
func (a *attempt) draftAdded(added []*memory.Heading, then string) (editResult, error) {
	missing := a.Missing()
	isNew := func(m validate.Missing) bool {
		return slices.ContainsFunc(added, func(h *memory.Heading) bool { return h.Key == m.Heading.Key })
	}
	result, err := a.draft(slices.DeleteFunc(missing, func(m validate.Missing) bool { return !isNew(m) }), then)
	if err != nil {
		return result, err
	}
	lines := a.Index.Lines
	if result.after != nil {
		lines = result.after.Index.Lines
	}
	for _, n := range added {
		if slices.ContainsFunc(result.left, func(f finding.Finding) bool {
			return f.Rule == "missing-entry" && f.Path == n.File.Path && f.Line == n.Line
		}) {
			continue // it has the entry of an older title
		}
		why := fmt.Sprintf("the worktree does not have this heading: run %s again", a.config.Typed.Git("add", n.File.Path))
		if i := slices.IndexFunc(lines, func(l index.Line) bool { return decision.Key(l.Entry.Title.Text) == n.Key }); i >= 0 {
			why = fmt.Sprintf("review %s:%d, and reword it if it is a draft%s", a.config.Typed.Path(a.config.Index), lines[i].Number, then)
		}
		result.left = append(result.left, finding.Finding{Path: n.File.Path, Line: n.Line, Column: 1, Rule: "missing-entry",
			Message: fmt.Sprintf("no entry for the new heading %q in the commit: %s", n.Title, why)})
	}
	finding.Sort(result.left)
	return result, nil
}
