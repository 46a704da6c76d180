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
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/words"
	"whence/internal/worktree"
	"whence/validate"
)

// adoption is a plan as it is carried out, with the settings and the index before and after it.
type adoption struct {
	plan     adoptPlan // lists of decisions that are unfit are left as they are
	settings textChange
	index    textChange
	added    []string          // the section of each entry that is added to the index
	followed int               // entries that have followed their files
	drafts   int               // added entries whose records have no situations
	left     []finding.Finding // findings about files that are new in the memory or have new entries
	numbers  string            // a note on numbers that two records share, or ""
	statuses []string          // notes on unknown statuses
}

// textChange is the text of a file before and after a change; nil if there is no file.
type textChange struct {
	path          string
	before, after []byte
}

func (c textChange) changed() bool { return !bytes.Equal(c.before, c.after) }

// adopt computes settings and index by a plan. A list of decisions with findings of memory-validate is left as it is,
// and the plan of the result gives the first of them as the reason.
func adopt(env cli.Env, tree *worktree.Tree, c config.Config, plan adoptPlan) (*adoption, error) {
	for {
		a, err := tryAdopt(env, tree, c, plan)
		if err != nil {
			return nil, err
		}
		unfit := a.unfitLists(c)
		if len(unfit) == 0 {
			return a, nil
		}
		plan = plan.without(unfit)
	}
}

// tryAdopt computes settings and index by a plan.
func tryAdopt(env cli.Env, tree *worktree.Tree, c config.Config, plan adoptPlan) (*adoption, error) {
	next := c
	next.Documents = slices.Concat(c.Documents, plan.globs(asDocuments))
	next.Decisions = slices.Concat(c.Decisions, plan.globs(asDecisions))
	for name, globs := range map[string][]string{"documents": next.Documents, "decisions": next.Decisions} {
		if len(globs) > 0 {
			if err := next.Set("the plan", name, globs); err != nil {
				return nil, err
			}
		}
	}
	a := &adoption{plan: plan, settings: textChange{path: config.ProjectFile}}
	if err := a.changeSettings(tree.FS(), c, next); err != nil {
		return nil, err
	}
	if !a.settings.changed() && len(c.Documents) == 0 {
		return a, nil // nothing was found
	}
	source, err := cli.Memory(env, tree, next)
	if err != nil {
		return nil, err
	}
	m, err := validate.Load(source, next)
	if err != nil {
		return nil, err
	}
	a.numbers, a.statuses = validate.SharedNumbers(m, c.Typed), validate.UnknownStatuses(m)
	moved, followed, err := validate.Follow(m, next)
	if err != nil {
		return nil, err
	}
	a.followed = followed
	e := validate.NewEditor(moved, next)
	entries := a.draft(e, c, next.WordCount)
	after := moved
	if len(entries) > 0 {
		if after, err = e.Insert(entries...); err != nil {
			return nil, err
		}
	}
	a.index = textChange{m.Layout.Index, m.Index.Source, after.Index.Source}
	a.drafts = len(validate.NewEditor(after, next).Unworded().All()) - len(e.Unworded().All())
	a.left = findingsOf(after, c, next, entries)
	return a, nil
}

// unfitLists returns the first finding about each list of decisions that is new in the memory.
func (a *adoption) unfitLists(c config.Config) map[string]finding.Finding {
	unfit := map[string]finding.Finding{}
	for _, f := range a.left {
		isList := slices.ContainsFunc(a.plan, func(r adoptRow) bool { return r.use == asDecisions && slices.Contains(r.files, f.Path) })
		if _, known := unfit[f.Path]; isList && !known && isNew(f.Path, c) {
			unfit[f.Path] = f
		}
	}
	return unfit
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

// draft returns the drafts for documents and new decision files.
func (a *adoption) draft(e *validate.Editor, c config.Config, words config.Range) (entries []validate.Insertion) {
	for _, m := range e.Missing() {
		file := m.Heading.File
		if m.Older != nil || m.Line > 0 || !isNew(file.Path, c) && !file.Document {
			continue // for a person to look at
		}
		if entry, drafted := draftEntry(m, words); drafted {
			entries = append(entries, entry)
			a.added = append(a.added, file.Section())
		}
	}
	return entries
}

// draftEntry completes the draft for a heading. A draft with too few words also says where the decision is recorded.
// drafted reports whether the draft can be an entry; if not, memory-validate says why.
func draftEntry(m validate.Missing, allowed config.Range) (entry validate.Insertion, drafted bool) {
	e := m.Entry()
	trigger, title, description := e.Trigger.Text, e.Title.Text, e.Description.Text
	if words.Count(trigger+" "+title+" "+description) < allowed.Min {
		description = strings.TrimPrefix(description+"; a decision of its own, recorded in "+m.Heading.File.Path, "; ")
	}
	m.Text = index.FormatEntry(e.Operator, trigger, title, description)
	return m.Insertion, m.Entry().Description.Text != ""
}

// isNew reports whether a file is in the memory only by the plan: the settings c do not name it.
func isNew(name string, c config.Config) bool {
	return !c.Layout().Holds(name)
}

// findingsOf returns the findings about files that are new in a memory, or have new entries.
func findingsOf(after *memory.Memory, c, next config.Config, entries []validate.Insertion) (found []finding.Finding) {
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
		if name != after.Layout.Index && (drafted[name] || isNew(name, c)) {
			found = append(found, f)
		}
	}
	return found
}

// save writes the index, then the settings. A run that is killed between them can be repeated: it finds the entries
// there.
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
