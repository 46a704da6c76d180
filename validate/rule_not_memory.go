package validate

import (
	"whence/internal/finding"
	"whence/internal/memory"
)

// notMemory reports files that the settings name but that are not read: see memory.Source.
func notMemory(a *audit, report func(finding.Finding)) {
	for _, r := range refusals(a.Memory) {
		report(finding.Finding{Path: r.Path, Line: 1, Column: 1, Message: r.Reason + ": " + r.Remedy})
	}
}

// refusals returns, for each file that the settings name but that is not memory, the reason.
func refusals(m *memory.Memory) []memory.Problem {
	if tree, refuses := m.Source.(*memory.Source); refuses {
		return tree.Refusals()
	}
	return nil
}
