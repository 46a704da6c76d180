package validate

import (
	"strings"

	"whence/internal/decision"
	"whence/internal/finding"
)

// The titles of the two sections that the oldest index format exempted from all checks, without the note in
// parentheses.
const (
	behavioralRules    = "Behavioral Rules"
	technicalDecisions = "Technical Decisions"
)

// legacySection reports sections of the oldest format.
func legacySection(a *audit, report func(finding.Finding)) {
	for _, s := range a.Index.Sections {
		if IsLegacySection(s.Path) {
			report(a.atLine(s.First, "section %q of the old format: run \"%s\", which files its entries under their decision files", s.Path, a.config.Typed.Command("memory-migrate --write")))
		}
	}
}

// IsLegacySection reports whether a section is one of the two that the oldest format
// exempted from all checks.
func IsLegacySection(heading string) bool {
	return IsBehavioralRules(heading) || isNamed(heading, technicalDecisions)
}

// IsBehavioralRules reports whether a section holds the rules that are loaded with every session and so need no entry.
func IsBehavioralRules(heading string) bool { return isNamed(heading, behavioralRules) }

// isNamed reports whether a heading has a name, apart from a note in parentheses.
func isNamed(heading, name string) bool {
	before, _, _ := strings.Cut(heading, " (")
	return decision.Key(before) == decision.Key(name)
}
