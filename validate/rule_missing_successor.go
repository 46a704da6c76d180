package validate

import (
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/inert"
)

// missingSuccessor reports superseded documents that lead to no document that holds.
func missingSuccessor(a *audit, report func(finding.Finding)) {
	for _, h := range a.Headings {
		if h.Gone && h.Successor == nil && h.File.Status().Kind == decision.Superseded {
			report(a.atHeading(h, "superseded, but names no successor that holds (%s): link to its file, as in \"Superseded by [Title](0007-title.md)\"", inert.Quoted(h.File.Status().Text)))
		}
	}
}
