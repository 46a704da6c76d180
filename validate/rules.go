package validate

import (
	"slices"
	"strings"

	"whence/internal/finding"
)

// rule is one check of memory-validate, in the file rule_<name>.go.
type rule struct {
	name    string
	summary string
	optIn   bool // off unless the settings enable it
	run     runFunc
}

// runFunc reports the findings of a rule. It must not change the audit: rules run in parallel.
type runFunc func(a *audit, report func(finding.Finding))

// rules lists all rules, in the order in which their fixes are made.
var rules = []rule{
	{"conflict-marker", "a merge has left a conflict in the index or a decision file", false, conflictMarker},
	{"joined-lines", "a formatter of Markdown has made paragraphs of entries", false, joinedLines},
	{"not-memory", "a file that the settings name is a link, ignored by git, hidden, or not Markdown", false, notMemory},
	{"unread-file", "a decision file cannot be read", false, unreadFile},
	{"entry-syntax", "a line looks like an entry but does not have three fields", false, entrySyntax},
	{"trigger-format", "a trigger is not in lower-case words", false, triggerFormat},
	{"duplicate-trigger", "two entries have the same operator and trigger", false, duplicateTrigger},
	{"duplicate-header", "two entries lead to the same heading", false, duplicateHeader},
	{"unknown-header", "a header title matches no heading of the decision files", false, unknownHeader},
	{"structural-header", "an entry leads to a heading that only groups others", false, structuralHeader},
	{"word-count", "the fields of an entry have too few or too many words", false, wordCount},
	{"consumption-header", "the preamble does not say how to look entries up", false, consumptionHeader},
	{"situations-format", "a situations comment is misplaced or malformed", false, situationsFormat},
	{"wrong-section", "an entry is in the section of another file than its heading", false, wrongSection},
	{"entry-order", "entries are in another order than their headings", false, entryOrder},
	{"unknown-file", "a section names no decision file", false, unknownFile},
	{"legacy-section", "a section of the oldest index format is still there", false, legacySection},
	{"duplicate-heading", "two headings, or two decision files, have the same name", false, duplicateHeading},
	{"missing-entry", "a heading has no entry", false, missingEntry},
	{"draft-trigger", "an entry is still a draft: its trigger is derived, and its heading has no situations", true, draftTrigger},
	{"missing-situations", "an indexed heading has no situations", true, missingSituations},
	{"missing-successor", "a superseded decision names no successor that holds", true, missingSuccessor},
}

// Rules returns descriptions of all rules, sorted by name.
func Rules() []finding.Rule {
	described := make([]finding.Rule, len(rules))
	for i, r := range rules {
		described[i] = finding.Rule{Name: r.name, Summary: r.summary}
	}
	slices.SortFunc(described, func(a, b finding.Rule) int { return strings.Compare(a.Name, b.Name) })
	return described
}

// ruleNames returns the names of the rules that are wanted, sorted.
func ruleNames(wanted func(rule) bool) (names []string) {
	for _, r := range rules {
		if wanted(r) {
			names = append(names, r.name)
		}
	}
	slices.Sort(names)
	return names
}
