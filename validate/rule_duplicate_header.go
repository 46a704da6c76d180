package validate

import (
	"whence/internal/finding"
	"whence/internal/memory"
)

// duplicateHeader reports all but the first entry of a heading.
func duplicateHeader(a *audit, report func(finding.Finding)) {
	first := make(map[*memory.Heading]*memory.Entry, len(a.unique))
	for _, e := range a.unique {
		h := a.LeadsTo(e)
		if h == nil {
			continue
		}
		original, taken := first[h]
		if !taken {
			first[h] = e
			continue
		}
		if same, reported := a.sameKey[e]; reported && a.LeadsTo(same.entry) == h {
			continue
		}
		advice := "keep one entry; to remove this one: " + a.removing(e)
		if a.IsDerived(h, original.Key(), original.Description.Text) && !a.IsDerived(h, e.Key(), e.Description.Text) {
			advice = "that is only a draft; to remove it: " + a.removing(original)
		}
		report(a.atField(e, e.Title, "duplicate header title %q: line %d leads to the same heading; %s", e.Title.Text, a.number(original), advice))
	}
}
