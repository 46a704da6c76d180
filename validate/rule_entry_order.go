package validate

import "whence/internal/finding"

// entryOrder reports each section whose entries are not in the order of their headings,
// at the first entry that must move.
func entryOrder(k *check, report func(finding.Finding)) {
	for s, section := range k.Index.Sections {
		kept, moved := k.ordered(s)
		if len(moved) == 0 || k.conflicts(section.Path) != nil {
			continue
		}
		f := k.atLine(moved[0], "entries not in file order: under %q, %d of %d must move to follow their headings: --fix moves them",
			section.Path, len(moved), len(kept)+len(moved))
		f.Fix = k.moves(moved)
		report(f)
	}
}
