package learning

import (
	"cmp"
	"fmt"
	"strings"

	"whence/internal/text"
)

// The answers to a search that finds nothing, and to one without words.
const (
	NoMatch    = "No matching memories found."
	EmptyQuery = "Error: query must be non-empty"
)

// SearchText returns what a search has found: each learning with its reason, or in brief only
// their names. Names and texts are inert. Without any it returns NoMatch.
func SearchText(found []Learning, brief bool) string {
	if len(found) == 0 {
		return NoMatch
	}
	var b strings.Builder
	if brief {
		fmt.Fprintf(&b, "Found %d entries:\n", len(found))
		for _, l := range found {
			fmt.Fprintf(&b, "- %s (%s)\n", oneLine(l.Name), oneLine(string(l.Confidence)))
		}
		return b.String()
	}
	fmt.Fprintf(&b, "Found %d relevant memories:\n", len(found))
	for _, l := range found {
		prefix := cmp.Or(displayOf(l.Category).prefix, "Heuristic: ")
		fmt.Fprintf(&b, "\n### %s%s\n%s\n", prefix, oneLine(l.Name), text.InertParagraphs(l.Description))
		if why := oneLine(l.Reasoning); why != "" {
			fmt.Fprintf(&b, "- Why: %s\n", why)
		}
		fmt.Fprintf(&b, "- Confidence: %s\n", oneLine(string(l.Confidence)))
	}
	return b.String()
}
