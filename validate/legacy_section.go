package validate

import (
	"strings"

	"whence/internal/decision"
	"whence/internal/finding"
)

// legacySections are the two sections of the oldest index format whose entries
// were exempt from all checks.
var legacySections = []string{
	"Behavioral Rules (fragments — already loaded)",
	"Technical Decisions (mixed — check entry for specific file)",
}

// legacySection reports sections of the oldest format.
func legacySection(k *check) []finding.Finding {
	var found []finding.Finding
	for _, s := range k.Index.Sections {
		if isLegacySection(s.Path) {
			found = append(found, k.atLine(s.First, "section %q of the old format: run memory-migrate, which files its entries under their decision files", s.Path))
		}
	}
	return found
}

// isLegacySection compares what stands before the parenthesis.
func isLegacySection(path string) bool {
	name, _, _ := strings.Cut(path, " (")
	for _, legacy := range legacySections {
		if known, _, _ := strings.Cut(legacy, " ("); decision.Key(name) == decision.Key(known) {
			return true
		}
	}
	return false
}
