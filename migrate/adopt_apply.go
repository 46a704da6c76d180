package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/worktree"
	"whence/validate"
)

// adoption is a plan as it is carried out: the settings and the index before and after it.
type adoption struct {
	plan     adoptPlan // with the files that had to be left out
	settings textChange
	index    textChange
	added    []string          // the section of each entry that is added to the index
	drafts   int               // entries that are drafts and were none
	left     []finding.Finding // of memory-validate, about the files of the plan
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
	for round := 1; ; round++ {
		a, out, err := tryAdopt(env, tree, c, plan)
		if err != nil || len(out) == 0 || round == maxAdoptRounds {
			return a, err
		}
		plan = plan.with(out)
	}
}

// tryAdopt computes settings and index by a plan, or rows for the files that must be left out of it.
func tryAdopt(env cli.Env, tree *worktree.Tree, c config.Config, plan adoptPlan) (a *adoption, out adoptPlan, err error) {
	next, err := plan.apply(c)
	if err != nil {
		return nil, nil, err
	}
	a = &adoption{plan: plan, settings: textChange{path: config.ProjectFile}}
	if err := a.changeSettings(tree.FS(), c, next); err != nil {
		return nil, nil, err
	}
	if len(next.Documents)+len(next.Decisions) == len(c.Documents)+len(c.Decisions) && len(c.Documents) == 0 {
		return a, nil, nil // nothing was found
	}
	memory, err := cli.Memory(env, tree, next)
	if err != nil {
		return nil, nil, err
	}
	m, err := validate.Load(memory, next)
	if err != nil {
		if out = unreadable(memory, c, next); len(out) == 0 {
			return nil, nil, err
		}
		return a, out, nil
	}
	e := validate.NewEditor(m, next)
	entries, out := a.draft(e, c, next.WordCount)
	if len(out) > 0 {
		return a, out, nil
	}
	a.index = textChange{m.IndexPath, m.Index.Source, m.Index.Source}
	if len(entries) == 0 {
		return a, nil, nil
	}
	after, err := e.Insert(entries...)
	if err != nil {
		return nil, nil, err
	}
	a.index.after = after.Index.Source
	a.drafts = validate.CountWording(after, next).Drafts - e.Unworded().NumDrafts
	out = a.findings(after, c, next, entries)
	return a, out, nil
}

// apply returns the settings with the globs of the plan. Rows of files that are left, but that another
// glob matches, become exceptions.
func (p adoptPlan) apply(c config.Config) (config.Config, error) {
	next := c
	next.Documents = slices.Concat(c.Documents, p.globs(asDocuments))
	next.Decisions = slices.Concat(c.Decisions, p.globs(asDecisions))
	layout := corpus.Layout{Index: c.Index, Decisions: next.Decisions, Documents: next.Documents}
	for _, glob := range p.globs(asTheyAre) {
		if layout.Holds(glob) && !slices.Contains(slices.Concat(next.Decisions, next.Documents), glob) {
			next.Documents = append(next.Documents, "!"+glob)
		}
	}
	for name, globs := range map[string][]string{"documents": next.Documents, "decisions": next.Decisions} {
		if len(globs) == 0 {
			continue
		}
		if err := next.Set("the plan", name, globs); err != nil {
			return c, err
		}
	}
	return next, nil
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
func (a *adoption) draft(e *validate.Editor, c config.Config, words config.Range) (entries []validate.Entry, out adoptPlan) {
	for _, m := range e.Missing() {
		file, _ := e.Heading(m.Place)
		isNew := isNew(file.Path, c)
		if m.Older >= 0 || !isNew && !file.Document {
			continue // for a person to look at
		}
		entry, reason := draftEntry(m, file, words)
		switch {
		case reason != "" && isNew:
			out = append(out, adoptRow{asTheyAre, globOf(file.Path), 1, reason})
		case reason == "":
			entries = append(entries, entry)
			a.added = append(a.added, file.Section())
		}
	}
	return entries, out
}

// draftEntry completes the draft for a heading, or returns why it cannot be an entry. If the draft has
// too few words, it also says where the decision is recorded.
func draftEntry(m validate.Missing, file *decision.File, allowed config.Range) (entry validate.Entry, reason string) {
	if len(bytes.TrimSpace(file.Source)) == 0 {
		return entry, "it is empty"
	}
	drafted := parseEntry(m.Line)
	title, description := drafted.Title.Text, drafted.Description.Text
	used := validate.CountWords(drafted.Trigger.Text) + validate.CountWords(title)
	for _, where := range []string{"recorded in ", "a decision of its own, recorded in "} {
		if used+validate.CountWords(description) < allowed.Min {
			description = where + file.Path
			if drafted.Description.Text != "" {
				description = drafted.Description.Text + "; " + description
			}
		}
	}
	if description == "" {
		return entry, fmt.Sprintf("its title has %d words, and an entry at most %d: shorten it", validate.CountWords(title), allowed.Max)
	}
	m.Line = index.FormatEntry(drafted.Operator, drafted.Trigger.Text, title, description)
	if parseEntry(m.Line).Description.Text == "" {
		return entry, "its title cannot be in an entry: reword it"
	}
	return m.Entry, ""
}

// parseEntry returns the entry of a line, an empty one if it is none.
func parseEntry(line string) index.Entry {
	lines := index.Parse([]byte("## x\n" + line + "\n")).Lines
	if len(lines) < 2 || lines[1].Opaque {
		return index.Entry{}
	}
	return lines[1].Entry
}

// isNew reports whether a file is in the memory by a plan only.
func isNew(name string, c config.Config) bool {
	return !c.Layout().Holds(name)
}

// unreadable returns rows for the new files that cannot be read.
func unreadable(tree fs.FS, c, next config.Config) (out adoptPlan) {
	layout := next.Layout()
	paths, err := corpus.Paths(tree, layout)
	if err != nil {
		return nil
	}
	paths = slices.DeleteFunc(paths, func(name string) bool { return !isNew(name, c) })
	_, errs := corpus.ReadFiles(tree, layout, paths)
	for i, err := range errs {
		if err != nil {
			out = append(out, adoptRow{asTheyAre, globOf(paths[i]), 1, strings.TrimPrefix(err.Error(), "decision file ")})
		}
	}
	return out
}

// findings returns rows for the new files about which memory-validate has findings, and keeps those
// about the files that were in the memory.
func (a *adoption) findings(after *corpus.Corpus, c, next config.Config, entries []validate.Entry) (out adoptPlan) {
	drafted := map[string]bool{}
	for _, entry := range entries {
		drafted[after.Decisions[entry.File].Path] = true
	}
	e := validate.NewEditor(after, next)
	a.left = nil
	for _, f := range validate.Check(after, next) {
		name := f.Path
		if f.Path == after.IndexPath {
			if at, known := e.Target(f.Line - 1); known {
				file, _ := e.Heading(at)
				name = file.Path
			}
		}
		switch {
		case !isNew(name, c) && drafted[name]:
			a.left = append(a.left, f)
		case isNew(name, c) && name != after.IndexPath && !slices.ContainsFunc(out, func(r adoptRow) bool { return r.path == globOf(name) }):
			out = append(out, adoptRow{asTheyAre, globOf(name), 1, fmt.Sprintf("%s [%s]", f.Message, f.Rule)})
		}
	}
	return out
}

// save writes the index, then the settings. A run that is killed between them can be repeated: it finds
// the entries there.
func (a *adoption) save(tree *worktree.Tree) error {
	for _, c := range []textChange{a.index, a.settings} {
		if !c.changed() {
			continue
		}
		at := tree
		if c.path != config.ProjectFile {
			at = tree.Strict()
		}
		if err := at.Replace(c.path, c.before, c.after); err != nil {
			return fmt.Errorf("write %s: %w", c.path, err)
		}
	}
	return nil
}
