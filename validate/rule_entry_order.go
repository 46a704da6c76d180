package validate

import (
	"slices"
	"strings"

	"whence/internal/finding"
	"whence/internal/memory"
)

// entryOrder reports each section whose entries are not in the order of their headings, at the first misplaced entry.
// The fix sorts the entries among the lines that they have. The documents of a folder may be in any order: otherwise,
// branches that each add one would be stopped at their merge.
func entryOrder(a *audit, report func(finding.Finding)) {
	for _, section := range a.Index.Sections {
		if strings.HasSuffix(section.Path, "/") {
			continue
		}
		entries := a.entriesInPlace(section)
		sorted := slices.Clone(entries)
		slices.SortStableFunc(sorted, func(x, y *memory.Entry) int { return x.Heading.Order(y.Heading) })
		if slices.Equal(entries, sorted) || a.conflicts(section.Path) != nil {
			continue
		}
		fix := &finding.Fix{}
		var first *memory.Entry
		for n, e := range entries {
			if sorted[n] == e {
				continue
			}
			if first == nil {
				first = e
			}
			fix.Edits = append(fix.Edits, a.edit(a.Index.Lines[e.Line].Span, a.text(sorted[n])))
		}
		f := a.atEntry(first, "entries not in file order: from here on, those under %q do not follow their headings: --fix sorts them", section.Path)
		f.Fix = fix
		report(f)
	}
}
