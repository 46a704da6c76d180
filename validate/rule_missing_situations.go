package validate

import "whence/internal/finding"

// missingSituations reports indexed headings without situations. Documents that do not hold need none.
func missingSituations(k *audit, report func(finding.Finding)) {
	for _, i := range k.Unworded().Lines {
		at := k.Target(i)
		report(k.atHeading(at, "no situations under heading %q: add a comment \"<!-- situations:\" that lists what a developer types, does or sees when it applies, one phrase per line", at.Title))
	}
}
