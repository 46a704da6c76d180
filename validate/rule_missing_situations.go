package validate

import "whence/internal/finding"

// missingSituations reports indexed headings without situations. Decisions that do not hold need none.
func missingSituations(a *audit, report func(finding.Finding)) {
	for _, e := range a.Unworded().All() {
		report(a.atHeading(e.Heading, "no situations under heading %q: add a comment \"<!-- situations:\" that lists what a developer types, does or sees when it applies, one phrase per line", e.Heading.Title))
	}
}
