package validate

import (
	"whence/internal/finding"
	"whence/internal/memory"
)

// notMemory reports files that the settings name, and that are not read all the same: see memory.Source.
func notMemory(a *audit, report func(finding.Finding)) {
	tree, refuses := a.Source.(*memory.Source)
	if !refuses {
		return
	}
	for _, r := range tree.Refusals() {
		report(finding.Finding{Path: r.Path, Line: 1, Column: 1, Message: r.Reason + ": " + r.Remedy})
	}
}
