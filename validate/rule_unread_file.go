package validate

import "whence/internal/finding"

// unreadFile reports decision files that cannot be read. The others are checked all the same.
func unreadFile(a *audit, report func(finding.Finding)) {
	for _, p := range a.Problems {
		report(finding.Finding{Path: p.Path, Line: max(p.Line, 1), Column: 1, Message: p.Reason + ": " + p.Remedy})
	}
}
