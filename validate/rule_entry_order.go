package validate

import (
	"slices"
	"strings"

	"whence/internal/finding"
)

// entryOrder reports each section whose entries are not in the order of their headings, at the first entry that
// is not in its place. The fix sorts the entries among the lines that they have. The documents of a folder have
// no order that anybody reads: branches that each add one would be stopped at their merge.
func entryOrder(k *audit, report func(finding.Finding)) {
	for s, section := range k.Index.Sections {
		if strings.HasSuffix(section.Path, "/") {
			continue
		}
		lines := k.entriesInPlace(s)
		sorted := slices.Clone(lines)
		slices.SortStableFunc(sorted, func(a, b int) int { return k.Target(a).Order(k.Target(b)) })
		if slices.Equal(lines, sorted) || k.conflicts(section.Path) != nil {
			continue
		}
		fix := &finding.Fix{}
		first := -1
		for n, i := range lines {
			if sorted[n] == i {
				continue
			}
			if first < 0 {
				first = i
			}
			fix.Edits = append(fix.Edits, k.edit(k.Index.Lines[i].Span, k.Index.Text(k.Index.Lines[sorted[n]])))
		}
		f := k.atLine(first, "entries not in file order: from here on, those under %q do not follow their headings: --fix sorts them", section.Path)
		f.Fix = fix
		report(f)
	}
}
