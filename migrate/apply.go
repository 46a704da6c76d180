package migrate

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/merge"
	"whence/validate"
)

// Outcome is the result of a migration: the index before and after it, and what memory-validate
// still finds in the result.
type Outcome struct {
	Plan          Plan
	Before, After []byte
	Left          []finding.Finding

	wording validate.WordingCount // of the result
	drafts  int                   // entries of the result that are drafts and were none
	leaving int                   // number of rows that only the plan still has
	missing bool                  // there is no index
}

// changed reports whether the migration changes the index.
func (o Outcome) changed() bool { return !bytes.Equal(o.Before, o.After) }

// Count returns the number of rows of a kind.
func (o Outcome) Count(kind string) int {
	n := 0
	for _, r := range o.Plan.Rows {
		if r.Kind() == kind {
			n++
		}
	}
	return n
}

// Run plans and applies the migration of a tree without writing anything.
func Run(tree fs.FS, c config.Config) (Outcome, error) {
	m, err := load(tree, c)
	if err != nil {
		return Outcome{}, err
	}
	return apply(m, c, plan(m, c))
}

// Apply applies an edited table to a tree without writing anything. The name is the path of the table,
// for errors.
func Apply(tree fs.FS, c config.Config, name string, table []byte) (Outcome, error) {
	m, err := load(tree, c)
	if err != nil {
		return Outcome{}, err
	}
	plan, err := parseTable(name, table)
	if err == nil {
		err = plan.check(name, m)
	}
	if err == nil {
		err = complete(m, plan)
	}
	if err != nil {
		return Outcome{}, &config.Error{Message: err.Error()}
	}
	return apply(m, c, plan)
}

// load reads a memory. An index in which a merge has left a conflict is not migrated.
func load(tree fs.FS, c config.Config) (*corpus.Corpus, error) {
	m, err := validate.Load(tree, c)
	if err == nil && m.Index.Conflicts != nil {
		err = &merge.ConflictError{Path: c.Typed.Path(m.IndexPath), Block: m.Index.Conflicts[0]}
	}
	return m, err
}

// apply applies a plan to the memory that it was made for. Rows that are entries replace their lines.
// Lines without a heading stay, except in the two sections of the oldest format, which are removed:
// then only the plan has them. Memory-validate's safe fixes then move the entries and update the
// preamble.
func apply(m *corpus.Corpus, c config.Config, plan Plan) (Outcome, error) {
	if isMigrated(m.Index) {
		return Outcome{Before: m.Index.Source, After: m.Index.Source, missing: m.IndexMissing}, nil
	}
	before := m.Index.Source
	src, err := rewrite(m.Index.WithLineEnd(), plan)
	if err != nil {
		return Outcome{}, err
	}
	work := *m
	work.Index = index.Parse(src)
	if err := settle(&work, c); err != nil {
		return Outcome{}, err
	}
	wording := validate.CountWording(&work, c)
	return Outcome{
		Plan: plan, Before: before, After: m.Index.TrimLineEnd(work.Index.Source), Left: validate.Check(&work, c),
		wording: wording, drafts: wording.Drafts - validate.CountWording(m, c).Drafts,
		leaving: countLeaving(m.Index, plan),
	}, nil
}

// isMigrated reports whether an index has neither entries nor sections of an old format.
func isMigrated(f *index.File) bool {
	return len(legacyEntries(f)) == 0 && !slices.ContainsFunc(f.Sections, func(s index.Section) bool { return validate.IsLegacySection(s.Path) })
}

// complete verifies that a plan has a row for each entry of an old format, and was made for this
// index.
func complete(m *corpus.Corpus, plan Plan) error {
	rows := map[int]string{}
	for _, r := range plan.Rows {
		if _, twice := rows[r.Line]; twice {
			return fmt.Errorf("the plan has two rows for line %d: keep one", r.Line)
		}
		rows[r.Line] = r.Source
	}
	for _, e := range legacyEntries(m.Index) {
		line := m.Index.Lines[e.line]
		source, planned := rows[line.Number]
		switch {
		case !planned:
			return fmt.Errorf("the plan has no row for line %d of %s (%s): add it, with an empty header to skip it, or make a new plan", line.Number, m.IndexPath, m.Index.Text(line))
		case source != m.Index.Text(line):
			return fmt.Errorf("line %d of %s has changed since the plan was made: make a new plan", line.Number, m.IndexPath)
		}
		delete(rows, line.Number)
	}
	for line := range rows {
		return fmt.Errorf("the plan has a row for line %d of %s, which is not an entry of an old format: make a new plan", line, m.IndexPath)
	}
	return nil
}

// rewrite replaces the old entries with the new ones, and removes those that leave the index.
func rewrite(f *index.File, plan Plan) ([]byte, error) {
	var edits []finding.Edit
	for _, r := range plan.Rows {
		line := f.Lines[r.Line-1]
		switch {
		case r.Header != "":
			text := index.FormatEntry(r.Operator, r.Trigger, r.Header, r.Description)
			edits = append(edits, finding.Edit{Start: line.Start, End: line.End, New: text})
		case leaves(f, r):
			edits = append(edits, finding.Edit{Start: line.Start, End: line.Next})
		}
	}
	return finding.Apply(f.Source, edits)
}

// leaves reports whether the line of a row is removed without becoming an entry.
func leaves(f *index.File, r Row) bool {
	section := f.Sections[f.Lines[r.Line-1].Section].Path
	return r.Header == "" && (r.Kind() == Removed || validate.IsLegacySection(section))
}

func countLeaving(f *index.File, plan Plan) int {
	n := 0
	for _, r := range plan.Rows {
		if leaves(f, r) {
			n++
		}
	}
	return n
}

// settle makes the safe fixes in an index, and removes the sections of the oldest format that are empty
// by now.
func settle(m *corpus.Corpus, c config.Config) error {
	result, err := validate.FixCorpus(m, c, false)
	if err != nil {
		return err
	}
	f := m.Index
	for _, change := range result.Changes {
		if change.Path == m.IndexPath {
			f = index.Parse(change.After)
		}
	}
	var edits []finding.Edit
	for _, s := range f.Sections {
		if validate.IsLegacySection(s.Path) && isEmpty(f, s) {
			edits = append(edits, finding.Edit{Start: f.Lines[s.First].Start, End: f.Lines[s.End-1].Next})
		}
	}
	src, err := finding.Apply(f.Source, edits)
	m.Index = index.Parse(src)
	return err
}

func isEmpty(f *index.File, s index.Section) bool {
	return !slices.ContainsFunc(f.Lines[s.First+1:s.End], func(l index.Line) bool { return strings.TrimSpace(f.Text(l)) != "" })
}
