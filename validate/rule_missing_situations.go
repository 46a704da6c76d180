package validate

import "whence/internal/finding"

// missingSituations reports indexed headings without situations. Documents that do not hold need none.
func missingSituations(k *check, report func(finding.Finding)) {
	indexed := map[Place]bool{}
	for _, h := range k.targets {
		indexed[h] = true
	}
	for fi, file := range k.Decisions {
		if file.Document && !file.Status().Holds() {
			continue
		}
		has := map[int]bool{}
		for _, s := range file.Situations {
			has[s.Heading] = true
		}
		for hi, h := range file.Headings {
			if at := (Place{File: fi, Heading: hi}); indexed[at] && !has[hi] {
				report(k.atHeading(at, "no situations under heading %q: add a comment \"<!-- situations:\" that lists what a developer types, does or sees when it applies, one phrase per line", h.Title))
			}
		}
	}
}
