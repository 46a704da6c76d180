package validate

import (
	"whence/internal/finding"
)

// structuralHeader reports entries that lead to a heading which only groups others.
func structuralHeader(k *audit, report func(finding.Finding)) {
	for _, i := range k.unique {
		if k.Target(i) != nil {
			continue
		}
		title := k.Index.Lines[i].Entry.Title
		headings := k.Structural(title.Text)
		if len(headings) == 0 || len(k.Named(title.Text)) > 0 {
			continue
		}
		report(k.atOffset(i, title.Start,
			"%q is a structural heading (%s), which only groups others: name a heading below it, or remove the dot from its title",
			title.Text, k.position(headings[0])))
	}
}
