package learning

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/inert"
	"whence/internal/redact"
)

// ParseStaged reads a file of learnings that wt-tools extracted from a session. Its lines are
// "kind|tags|text"; a line that begins with #CHANGE: names the change that the session worked on.
// Other lines, and texts that are too short, are skipped.
func ParseStaged(s string) (all []Learning) {
	change := ""
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if name, is := strings.CutPrefix(line, "#CHANGE:"); is {
			change = inert.Clean(name)
			continue
		}
		parts := strings.SplitN(line, "|", 3)
		if len(parts) < 3 {
			continue
		}
		tagText, _ := redact.Text(parts[1])
		tags := strings.FieldsFunc(redact.ReplaceMarks(tagText, " "), func(r rune) bool { return r == ',' || r == ' ' })
		switch strings.TrimSpace(parts[0]) {
		case "Learning", "Decision", "Context":
		case "Convention":
			tags = append(tags, "convention", "cheat-sheet")
		case "CheatSheet":
			tags = append(tags, "cheat-sheet")
		default:
			continue
		}
		description, _ := redact.Text(inert.Clean(parts[2]))
		if description != "" && !LongEnough(description) { // "preference: User wants tabs"
			description = strings.Join(tags, " ") + ": " + description
		}
		if !LongEnough(redact.ReplaceMarks(description, "")) {
			continue
		}
		l := Learning{Description: description, Confidence: Low, Source: Import, Reasoning: "Extracted from a past session by an earlier tool."}
		if change != "" {
			l.Reasoning = fmt.Sprintf("Extracted by an earlier tool from a session that worked on %s.", change)
		}
		for _, word := range slices.Concat(tags, Keywords("", description, "")) {
			if word = strings.ToLower(word); ValidKeyword(word) && !slices.Contains(l.Keywords, word) {
				l.Keywords = append(l.Keywords, word)
			}
		}
		all = append(all, l)
	}
	return all
}
