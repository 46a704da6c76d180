package migrate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/internal/index"
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

	index   string // path of the index
	leaving int    // number of rows that only the plan still has
	edited  bool   // the plan was read from a table
	missing bool   // there is no index
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

// apply applies a plan to the memory that it was made for. Each entry of an old format needs
// exactly one row. Rows that are entries replace their lines. Lines without a heading stay, except
// in the two sections of the oldest format, which are removed: then only the plan has them.
// Memory-validate's safe fixes then move the entries and update the preamble.
func apply(m *corpus.Corpus, c config.Config, plan Plan) (Outcome, error) {
	if err := complete(m, plan); err != nil {
		return Outcome{}, &config.Error{Message: err.Error()}
	}
	if isMigrated(m.Index) {
		return Outcome{index: m.IndexPath, Before: m.Index.Source, After: m.Index.Source, missing: m.IndexMissing}, nil
	}
	before := m.Index.Source
	src, err := rewrite(m.Index.WithLineEnd(), plan)
	if err != nil {
		return Outcome{}, err
	}
	src, left, err := settle(m, c, src)
	if err != nil {
		return Outcome{}, err
	}
	work := *m
	work.Index = index.Parse(src)
	wording := validate.CountWording(&work, c)
	return Outcome{
		Plan: plan, Before: before, After: m.Index.TrimLineEnd(src), Left: left,
		wording: wording, drafts: wording.Drafts - validate.CountWording(m, c).Drafts,
		index: m.IndexPath, leaving: countLeaving(m.Index, plan),
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

// settle makes the safe fixes, completes the preamble, and removes the sections of the oldest
// format that are empty by now. It returns the text and what memory-validate finds in it.
func settle(m *corpus.Corpus, c config.Config, src []byte) ([]byte, []finding.Finding, error) {
	work := *m
	work.Index = index.Parse(src)
	result, err := validate.FixCorpus(&work, c, validate.Allow{})
	if err != nil {
		return nil, nil, err
	}
	alone := true // only the index was fixed, so result.Left is still true
	for _, change := range result.Changes {
		if change.Path == m.IndexPath {
			src = change.After
		} else {
			alone = false
		}
	}
	f := index.Parse(src)
	edits := guide(f)
	for _, s := range f.Sections {
		if validate.IsLegacySection(s.Path) && emptySection(f, s) {
			edits = append(edits, finding.Edit{Start: f.Lines[s.First].Start, End: f.Lines[s.End-1].Next})
		}
	}
	if len(edits) == 0 && alone {
		return src, result.Left, nil
	}
	if src, err = finding.Apply(src, edits); err != nil {
		return nil, nil, err
	}
	work.Index = index.Parse(src)
	return src, validate.Check(&work, c), nil
}

func emptySection(f *index.File, s index.Section) bool {
	return !slices.ContainsFunc(f.Lines[s.First+1:s.End], func(l index.Line) bool { return strings.TrimSpace(f.Text(l)) != "" })
}

// guide completes a preamble that does not show how to look up a whole section or file:
// memory-validate accepts it, but readers of the new format should know.
func guide(f *index.File) []finding.Edit {
	span := f.Preamble()
	preamble := string(f.Source[span.Start:span.End])
	first := slices.IndexFunc(f.Lines, func(l index.Line) bool { return l.Kind == index.EntryLine })
	if first < 0 || strings.Contains(preamble, "§") {
		return nil
	}
	eol := f.LineEnd()
	text := strings.Join(validate.Guidance(false), eol) + eol
	filled := strings.TrimRight(preamble, " \t\r\n")
	at := span.Start
	if filled != "" {
		at += len(filled)
		text = eol + eol + strings.TrimSuffix(text, eol)
	} else {
		text += eol
	}
	return []finding.Edit{{Start: at, End: at, New: text}}
}
