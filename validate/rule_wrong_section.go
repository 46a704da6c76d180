package validate

import (
	"whence/internal/finding"
	"whence/internal/memory"
)

// wrongSection reports entries that are not in the section of the file that has their heading. Each section has its own
// fix, so that one that cannot be made does not prevent others.
func wrongSection(a *audit, report func(finding.Finding)) {
	bySection := map[string][]*memory.Entry{}
	for _, e := range a.unique {
		h := a.LeadsTo(e)
		if h == nil || a.inPlace(e) || a.moved[e.Section] != "" || h.File.Conflicts != nil {
			continue
		}
		section := h.File.Section()
		bySection[section] = append(bySection[section], e)
	}
	for _, entries := range bySection {
		fix := a.moves(entries)
		for _, e := range entries {
			f := a.atField(e, e.Title, "heading %q is in %s, but its entry is under %q: --fix moves it",
				e.Title.Text, a.position(e.Heading), e.Section)
			f.Fix = fix
			report(f)
		}
	}
}

// inPlace reports whether an entry is in the section of the file that has its heading.
func (a *audit) inPlace(e *memory.Entry) bool {
	h := a.LeadsTo(e)
	return h != nil && h.File.Section() == e.Section
}
