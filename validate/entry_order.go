package validate

import "whence/internal/finding"

// entryOrder reports sections whose entries stand in another order than their
// headings, once for each, at the first entry that has to move.
func entryOrder(k *check) []finding.Finding {
	if k.Index == nil {
		return nil
	}
	var found []finding.Finding
	for s, section := range k.Index.Sections {
		kept, moved := k.ordered(s)
		if len(moved) == 0 {
			continue
		}
		f := k.atLine(moved[0], "entries not in file order: %d of the %d under %q stand in another order than their headings: --fix moves them",
			len(moved), len(kept)+len(moved), section.Path)
		f.Fix = k.moves()
		found = append(found, f)
	}
	return found
}
