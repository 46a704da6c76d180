package migrate

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/merge"
	"whence/internal/worktree"
	"whence/validate"
)

// Outcome is the result of a migration: the index after it, and what is reported.
type Outcome struct {
	After []byte

	index  string // its path
	before []byte
	rows   []migrateRow      // one for each entry of an old format, in the order of the index
	left   []finding.Finding // what memory-validate finds in the result
	drafts int               // number of drafts that the migration adds
}

// changed reports whether the migration changes the index.
func (o Outcome) changed() bool { return !bytes.Equal(o.before, o.After) }

// count returns the number of rows of a kind.
func (o Outcome) count(kind string) int {
	n := 0
	for _, r := range o.rows {
		if r.kind() == kind {
			n++
		}
	}
	return n
}

// wasThere reports whether one of the parents of the commit already has the lines of all rows.
func (o Outcome) wasThere(parents []cli.Parent) bool {
	for _, parent := range parents {
		src, err := worktree.ReadText(parent.Memory, o.index)
		if err != nil {
			continue
		}
		left := map[string]int{}
		for line := range strings.Lines(string(src)) {
			left[strings.TrimRight(line, "\r\n")]++
		}
		isNew := func(r migrateRow) bool { left[r.source]--; return left[r.source] < 0 }
		if !slices.ContainsFunc(o.rows, isNew) {
			return true
		}
	}
	return false
}

// Run plans and applies the migration of a tree without writing anything. An index in which a merge has
// left a conflict is not migrated.
func Run(tree fs.FS, c config.Config) (Outcome, error) {
	m, err := validate.Load(tree, c)
	if err == nil && m.Index.Conflicts != nil {
		err = &merge.ConflictError{Path: c.Typed.Path(m.Layout.Index), Block: m.Index.Conflicts[0]}
	}
	if err != nil {
		return Outcome{}, err
	}
	return apply(m, c, plan(m, c))
}

// apply applies rows to the memory that they were planned for. The safe fixes of memory-validate then move the entries
// and update the preamble.
func apply(m *memory.Memory, c config.Config, rows []migrateRow) (Outcome, error) {
	outcome := Outcome{rows: rows, index: m.Layout.Index, before: m.Index.Source, After: m.Index.Source}
	hasLegacySection := slices.ContainsFunc(m.Index.Sections, func(s index.Section) bool { return validate.IsLegacySection(s.Path) })
	if len(rows) == 0 && !hasLegacySection {
		return outcome, nil
	}
	after, err := validate.KeepLineEnd(m, func(m *memory.Memory) (*memory.Memory, error) {
		next, err := enter(m, rows)
		if err != nil {
			return nil, err
		}
		return settle(next, c)
	})
	if err != nil {
		return Outcome{}, err
	}
	outcome.After, outcome.left = after.Index.Source, validate.Check(after, c)
	outcome.drafts = validate.CountWording(after, c).Drafts - validate.CountWording(m, c).Drafts
	return outcome, nil
}

// enter replaces the lines of rows by their new entries, and removes the lines that leave the index.
func enter(m *memory.Memory, rows []migrateRow) (*memory.Memory, error) {
	var edits []finding.Edit
	for _, r := range rows {
		line := m.Index.Lines[r.line-1]
		switch r.kind() {
		case migrated:
			text := index.FormatEntry(r.operator, r.trigger, r.header, r.description)
			edits = append(edits, finding.Edit{Start: line.Start, End: line.End, New: text})
		case removed:
			edits = append(edits, finding.Edit{Start: line.Start, End: line.Next})
		}
	}
	src, err := finding.Apply(m.Index.Source, edits)
	if err != nil {
		return nil, err
	}
	return m.With(index.Parse(src), m.Files), nil
}

// settle makes the safe fixes in an index, and removes the sections of the oldest format that are now empty.
func settle(m *memory.Memory, c config.Config) (*memory.Memory, error) {
	result, err := validate.FixMemory(m, c, false)
	if err != nil {
		return nil, err
	}
	f := m.Index
	for _, change := range result.Changes {
		if change.Path == m.Layout.Index {
			f = index.Parse(change.After)
		}
	}
	isBlank := func(l index.Line) bool { return strings.TrimSpace(f.Text(l)) == "" }
	var edits []finding.Edit
	end := len(f.Lines) // of the lines that stay
	for _, s := range slices.Backward(f.Sections) {
		isUsed := slices.ContainsFunc(f.Lines[s.First+1:s.End], func(l index.Line) bool { return !isBlank(l) })
		if !validate.IsLegacySection(s.Path) || isUsed {
			continue
		}
		first, last := s.First, min(s.End, end)-1
		if s.End >= end { // no blank lines stay at the end
			for first > 0 && isBlank(f.Lines[first-1]) {
				first--
			}
			end = first
		}
		edits = append(edits, finding.Edit{Start: f.Lines[first].Start, End: f.Lines[last].Next})
	}
	slices.Reverse(edits)
	src, err := finding.Apply(f.Source, edits)
	if err != nil {
		return nil, err
	}
	return m.With(index.Parse(src), m.Files), nil
}
