package validate

import (
	"slices"

	"whence/internal/finding"
	"whence/internal/memory"
)

// notMemory reports files that the settings name, and that are not read all the same: see memory.Source.
func notMemory(a *audit, report func(finding.Finding)) {
	for _, p := range problems(a.Memory) {
		report(finding.Finding{Path: p.Path, Line: max(p.Line, 1), Column: 1, Message: p.Reason + ": " + p.Remedy})
	}
}

// problems returns why files that the settings name are not in the memory.
func problems(m *memory.Memory) []memory.Problem {
	all := slices.Clone(m.Problems)
	if tree, refuses := m.Source.(*memory.Source); refuses {
		all = append(all, tree.Refusals()...)
	}
	return all
}
