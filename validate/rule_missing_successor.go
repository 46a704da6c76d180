package validate

import (
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/inert"
	"whence/internal/memory"
)

// missingSuccessor reports superseded decisions that name no successor that holds.
func missingSuccessor(a *audit, report func(finding.Finding)) {
	for _, h := range a.Headings {
		if h.Gone && h.Successor == nil && h.Status().Kind == decision.Superseded {
			report(a.atHeading(h, "superseded, but names no successor that holds (%s): link to %s", inert.Quoted(h.Status().Text), exampleOfLink(h)))
		}
	}
}

func exampleOfLink(h *memory.Heading) string {
	if h.File.Document {
		return `its file, as in "Superseded by [Title](0007-title.md)"`
	}
	return `its heading, as in "Superseded by [Title](#title)"`
}
