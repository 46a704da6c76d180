package validate

import (
	"whence/internal/finding"
)

// structuralHeader reports entries that lead to a heading that only groups others.
func structuralHeader(a *audit, report func(finding.Finding)) {
	for _, e := range a.unique {
		if a.LeadsTo(e) != nil {
			continue
		}
		headings := a.Structural(e.Title.Text)
		if len(headings) == 0 || len(a.Semantic(e.Title.Text)) > 0 {
			continue
		}
		report(a.atField(e, e.Title,
			"%q is a structural heading (%s), which only groups others: name a heading below it, or remove the dot from its title",
			e.Title.Text, a.position(headings[0])))
	}
}
