package validate

import (
	"whence/internal/finding"
)

// wrongSection reports entries in the section of another file than that of their heading. Each section has
// its own fix, so that one that cannot be made does not prevent others.
func wrongSection(k *audit, report func(finding.Finding)) {
	bySection := map[string][]int{}
	for _, i := range k.unique {
		h := k.Target(i)
		if h == nil || k.inPlace(i) || h.File.Conflicts != nil {
			continue
		}
		section := h.File.Section()
		bySection[section] = append(bySection[section], i)
	}
	for _, lines := range bySection {
		fix := k.moves(lines)
		for _, i := range lines {
			title := k.Index.Lines[i].Entry.Title
			f := k.atOffset(i, title.Start, "heading %q is in %s, but its entry is under %q: --fix moves it",
				title.Text, k.position(k.Target(i)), k.section(k.Index.Lines[i]).Path)
			f.Fix = fix
			report(f)
		}
	}
}

// inPlace reports whether an entry is in the section of the file of its heading.
func (k *audit) inPlace(i int) bool {
	h := k.Target(i)
	return h != nil && h.File.Section() == k.section(k.Index.Lines[i]).Path
}
