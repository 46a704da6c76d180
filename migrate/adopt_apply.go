package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/words"
	"whence/internal/worktree"
	"whence/validate"
)

// adoption is a plan as it is carried out: the settings and the index before and after it.
type adoption struct {
	plan     adoptPlan // with the files that had to be left out
	settings textChange
	index    textChange
	added    []string          // the section of each entry that is added to the index
	drafts   int               // added entries that are drafts
	gone     int               // added entries whose records are superseded or rejected
	left     []finding.Finding // of memory-validate, about files that were in the memory
	numbers  string            // a note about those that two records share
}

// textChange is a file before and after a change; nil where there is none.
type textChange struct {
	path          string
	before, after []byte
}

func (c textChange) changed() bool { return !bytes.Equal(c.before, c.after) }

// maxAdoptRounds bounds how often files are left out and the rest is tried again: what is left out
// rarely uncovers another problem.
const maxAdoptRounds = 8

// adopt computes settings and index by a plan. Files that cannot be used are left out, with the reason
// in the plan of the result.
func adopt(env cli.Env, tree *worktree.Tree, c config.Config, plan adoptPlan) (*adoption, error) {
	for range maxAdoptRounds {
		a, out, err := tryAdopt(env, tree, c, plan)
		if err != nil || len(out) == 0 {
			return a, err
		}
		plan = plan.with(out)
	}
	return nil, fmt.Errorf("each file that is left out uncovers another one with findings of memory-validate: add the globs of documents and decisions to %s by hand", config.ProjectFile)
}

// tryAdopt computes settings and index by a plan, or rows for the files that must be left out of it.
func tryAdopt(env cli.Env, tree *worktree.Tree, c config.Config, plan adoptPlan) (a *adoption, out adoptPlan, err error) {
	next := plan.apply(c)
	if crowded, found := plan.mostExceptions(); found && len(next.Documents) > config.MaxItems {
		return nil, adoptPlan{crowded}, nil
	}
	for name, globs := range map[string][]string{"documents": next.Documents, "decisions": next.Decisions} {
		if len(globs) > 0 {
			err = errors.Join(err, next.Set("the plan", name, globs))
		}
	}
	if err != nil {
		return nil, nil, err
	}
	a = &adoption{plan: plan, settings: textChange{path: config.ProjectFile}}
	if err := a.changeSettings(tree.FS(), c, next); err != nil {
		return nil, nil, err
	}
	if !a.settings.changed() && len(c.Documents) == 0 {
		return a, nil, nil // nothing was found
	}
	source, err := cli.Memory(env, tree, next)
	if err != nil {
		return nil, nil, err
	}
	m, err := validate.Load(source, next)
	if err != nil {
		return nil, nil, err
	}
	a.numbers = validate.SharedNumbers(m, c.Typed)
	e := validate.NewEditor(m, next)
	entries, out := a.draft(e, c, next.WordCount)
	a.index = textChange{m.Layout.Index, m.Index.Source, m.Index.Source}
	if len(entries) == 0 {
		return a, out, nil
	}
	after, err := e.Insert(entries...)
	if err != nil {
		return nil, nil, err
	}
	a.index.after = after.Index.Source
	before, now := e.Unworded(), validate.NewEditor(after, next).Unworded()
	a.drafts, a.gone = len(now.Drafts)-len(before.Drafts), len(now.Skipped)-len(before.Skipped)
	return a, append(out, a.findings(after, c, next, entries)...), nil
}

// apply returns the settings with the globs of the plan. Rows of files that are left, but that another
// glob matches, become exceptions.
func (p adoptPlan) apply(c config.Config) config.Config {
	next := c
	next.Documents = slices.Concat(c.Documents, p.globs(asDocuments))
	next.Decisions = slices.Concat(c.Decisions, p.globs(asDecisions))
	layout := memory.Layout{Index: c.Index, Decisions: next.Decisions, Documents: next.Documents}
	for _, glob := range p.globs(asTheyAre) {
		if layout.Holds(glob) && !slices.Contains(slices.Concat(next.Decisions, next.Documents), glob) {
			next.Documents = append(next.Documents, "!"+glob)
		}
	}
	return next
}

// mostExceptions returns a row that leaves out all files of a folder: that in which most cannot be used.
func (p adoptPlan) mostExceptions() (row adoptRow, found bool) {
	most := 0
	for _, folder := range p {
		if folder.use == asTheyAre {
			continue
		}
		exceptions, last := 0, adoptRow{}
		for _, r := range p {
			if r.use == asTheyAre && path.Dir(r.path) == path.Dir(folder.path) {
				exceptions, last = exceptions+1, r
			}
		}
		if exceptions > most {
			most = exceptions
			why := fmt.Sprintf("%d of its files cannot be used, such as %s: %s", exceptions, last.path, last.why)
			row, found = adoptRow{asTheyAre, folder.path, folder.files, why}, true
		}
	}
	return row, found
}

// changeSettings computes the text of the settings.
func (a *adoption) changeSettings(tree fs.FS, c, next config.Config) (err error) {
	a.settings.before, err = worktree.ReadText(tree, config.ProjectFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	a.settings.after, err = config.AddGlobs(a.settings.before, "documents", next.Documents[len(c.Documents):]...)
	if err == nil {
		a.settings.after, err = config.AddGlobs(a.settings.after, "decisions", next.Decisions[len(c.Decisions):]...)
	}
	return err
}

// draft returns the drafts for documents and new decision files, and rows for new files that have none.
func (a *adoption) draft(e *validate.Editor, c config.Config, words config.Range) (entries []validate.Insertion, out adoptPlan) {
	for _, m := range e.Missing() {
		file := m.Heading.File
		isNew := isNew(file.Path, c)
		if m.Older != nil || !isNew && !file.Document {
			continue // for a person to look at
		}
		entry, reason := draftEntry(m, words)
		switch {
		case reason == "":
			entries = append(entries, entry)
			a.added = append(a.added, file.Section())
		case isNew:
			out = append(out, adoptRow{asTheyAre, globOf(file.Path), 1, reason})
		}
	}
	return entries, out
}

// draftEntry completes the draft for a heading, or returns why it cannot be an entry. If the draft has
// too few words, it also says where the decision is recorded.
func draftEntry(m validate.Missing, allowed config.Range) (entry validate.Insertion, reason string) {
	drafted := m.Entry()
	trigger, title, description := drafted.Trigger.Text, drafted.Title.Text, drafted.Description.Text
	if words.Count(trigger+" "+title+" "+description) < allowed.Min {
		description = strings.TrimPrefix(description+"; a decision of its own, recorded in "+m.Heading.File.Path, "; ")
	}
	if description == "" {
		return entry, fmt.Sprintf("its title has %d words, and an entry at most %d: shorten it", words.Count(title), allowed.Max)
	}
	m.Text = index.FormatEntry(drafted.Operator, trigger, title, description)
	if m.Entry().Description.Text == "" {
		return entry, "its title cannot be in an entry: reword it"
	}
	return m.Insertion, ""
}

// isNew reports whether a file is in the memory by a plan only.
func isNew(name string, c config.Config) bool {
	return !c.Layout().Holds(name)
}

// findings returns rows for the new files about which memory-validate has findings, and keeps those
// about the files that were in the memory and have a new entry.
func (a *adoption) findings(after *memory.Memory, c, next config.Config, entries []validate.Insertion) (out adoptPlan) {
	drafted := map[string]bool{}
	for _, entry := range entries {
		drafted[entry.Heading.File.Path] = true
	}
	e := validate.NewEditor(after, next)
	for _, f := range validate.Check(after, next) {
		name := f.Path
		if f.Path == after.Layout.Index {
			if entry := e.EntryAt(f.Line - 1); entry != nil && e.LeadsTo(entry) != nil {
				name = entry.Heading.File.Path
			}
		}
		switch {
		case !isNew(name, c) && drafted[name]:
			a.left = append(a.left, f)
		case isNew(name, c) && name != after.Layout.Index:
			out = append(out, adoptRow{asTheyAre, globOf(name), 1, fmt.Sprintf("%s [%s]", f.Message, f.Rule)})
		}
	}
	return out
}

// save writes the index, then the settings: lines are added, and none is changed. A run that is killed between
// them can be repeated: it finds the entries there.
func (a *adoption) save(tree *worktree.Tree) error {
	for _, c := range []textChange{a.index, a.settings} {
		if !c.changed() {
			continue
		}
		if err := tree.Strict().Replace(c.path, c.before, c.after); err != nil {
			return fmt.Errorf("write %s: %w", c.path, err)
		}
	}
	return nil
}
