package validate

import (
	"slices"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/memory"
)

// entriesOfGoneFiles lists the entries that led to a decision file of the last commits which is gone now. If the memory has
// a file that those commits did not have, a file may have been renamed, and none is listed.
func entriesOfGoneFiles(m *memory.Memory, commits []cli.Parent, c config.Config) (gone []*memory.Entry) {
	led := map[string]bool{} // the lines of the index that led to files that are gone
	had := map[string]bool{}
	for _, commit := range commits {
		before, err := Load(commit.Memory, c)
		if err != nil {
			return nil
		}
		for _, name := range before.Paths {
			had[name] = true
		}
		for _, e := range before.Entries {
			if e.Heading != nil && !slices.Contains(m.Paths, e.Heading.File.Path) {
				led[before.Index.Text(before.Index.Lines[e.Line])] = true
			}
		}
	}
	if slices.ContainsFunc(m.Paths, func(name string) bool { return !had[name] }) {
		return nil
	}
	for _, e := range m.Entries {
		if e.Heading == nil && led[m.Index.Text(m.Index.Lines[e.Line])] {
			gone = append(gone, e)
		}
	}
	return gone
}

// fixWithout is FixMemory for a memory without some entries, which count as fixed.
func fixWithout(m *memory.Memory, gone []*memory.Entry, c config.Config, unsafe bool) (Result, error) {
	if len(gone) == 0 {
		return FixMemory(m, c, unsafe)
	}
	a := newAudit(m, c)
	fix := &finding.Fix{Unsafe: true}
	removed := finding.Finding{Path: m.Layout.Index, Line: a.number(gone[0]), Column: 1, Rule: "unknown-header", Message: "the file of its decision is gone", Fix: fix}
	for _, e := range gone {
		fix.Edits = append(fix.Edits, a.removal(e.Line))
		fix.Removed = append(fix.Removed, a.text(e))
	}
	without, err := a.apply(fix.Edits)
	if err != nil {
		return Result{}, err
	}
	result, err := FixMemory(without, c, unsafe)
	if err != nil {
		return Result{}, err
	}
	result.Fixed = slices.Insert(result.Fixed, 0, removed)
	after := without.Index.Source
	for _, change := range result.Changes {
		if change.Path == m.Layout.Index {
			after = change.After
		}
	}
	result.Changes = slices.DeleteFunc(result.Changes, func(change Change) bool { return change.Path == m.Layout.Index })
	result.Changes = slices.Insert(result.Changes, 0, Change{m.Layout.Index, m.Index.Source, after})
	return result, nil
}
