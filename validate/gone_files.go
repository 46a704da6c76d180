package validate

import (
	"slices"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/memory"
)

// entriesOfGoneFiles lists the entries that led to a decision file of the last commits which is gone now. If the memory has
// a file that those commits did not have, a file may have been renamed, and none is listed; nor is one of an index with a
// conflict.
func entriesOfGoneFiles(m *memory.Memory, commits []cli.Parent, c config.Config) (gone []*memory.Entry) {
	if m.Index.Conflicts != nil {
		return nil // nothing of it is fixed
	}
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

// removalOf returns the finding about entries of files that are gone, with the fix that removes them.
func (a *audit) removalOf(gone []*memory.Entry) finding.Finding {
	f := a.atLine(gone[0].Line, "the file of its decision is gone")
	f.Rule, f.Fix = "unknown-header", &finding.Fix{Unsafe: true}
	for _, e := range gone {
		f.Fix.Edits = append(f.Fix.Edits, a.removal(e.Line))
		f.Fix.Removed = append(f.Fix.Removed, a.text(e))
	}
	return f
}
