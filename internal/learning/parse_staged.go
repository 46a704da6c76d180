package learning

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/redact"
	"whence/internal/text"
)

// ParseStaged reads a file of what wt-tools extracted from a session. Its lines are
// "kind|tags|text"; #CHANGE: names the change that the session worked on.
func ParseStaged(s string) (all []Learning) {
	change := ""
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if name, is := strings.CutPrefix(line, "#CHANGE:"); is {
			change = text.Clean(name)
			continue
		}
		parts := strings.SplitN(line, "|", 3)
		if len(parts) < 3 {
			continue
		}
		tags := strings.FieldsFunc(parts[1], func(r rune) bool { return r == ',' || r == ' ' })
		switch strings.TrimSpace(parts[0]) {
		case "Learning", "Decision", "Context":
		case "Convention":
			tags = append(tags, "convention", "cheat-sheet")
		case "CheatSheet":
			tags = append(tags, "cheat-sheet")
		default:
			continue
		}
		if l, ok := stagedLearning(parts[2], tags, change); ok {
			all = append(all, l)
		}
	}
	return all
}

// stagedLearning returns the learning of a line. A text that is too short for one is prefixed with
// its tags: "preference: User wants tabs".
func stagedLearning(s string, tags []string, change string) (l Learning, ok bool) {
	s, kinds := redact.Text(text.Clean(s))
	if !LongEnough(s) && s != "" {
		var tagKinds []string // tags may hold secrets, too
		s, tagKinds = redact.Text(strings.Join(tags, " ") + ": " + s)
		kinds = append(kinds, tagKinds...)
	}
	unmarked := s
	if len(kinds) > 0 {
		unmarked = redact.ReplaceMarks(s, "")
	}
	if !LongEnough(unmarked) {
		return l, false
	}
	l = Learning{
		Description: s, Confidence: Low, Source: Import,
		Reasoning: "Extracted from a past session by an earlier tool.",
	}
	if change != "" {
		l.Reasoning = fmt.Sprintf("Extracted by an earlier tool from a session that worked on %s.", change)
	}
	for _, word := range slices.Concat(tags, Keywords("", s, "")) {
		if _, secret := redact.Text(word); len(secret) > 0 {
			continue
		}
		if word = strings.ToLower(word); ValidKeyword(word) && !slices.Contains(l.Keywords, word) {
			l.Keywords = append(l.Keywords, word)
		}
	}
	return l, true
}
