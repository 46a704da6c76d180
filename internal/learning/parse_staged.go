package learning

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/redact"
	"whence/internal/text"
)

// Numbers of lines taken from a staged file, as wt-tools did.
const (
	maxStaged      = 5 // of learnings, decisions and contexts together
	maxStagedRules = 2 // of conventions, and of cheat sheets
)

// ParseStaged reads a file of what wt-tools extracted from a session. Its lines are
// "kind|tags|text"; #CHANGE: names the change that the session worked on.
func ParseStaged(s string) (all []Learning) {
	change := ""
	seen := map[string]int{}
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
		kind, maxLines := strings.TrimSpace(parts[0]), maxStaged
		switch kind {
		case "Learning", "Decision", "Context":
			kind = ""
		case "Convention":
			maxLines, tags = maxStagedRules, append(tags, "convention", "cheat-sheet")
		case "CheatSheet":
			maxLines, tags = maxStagedRules, append(tags, "cheat-sheet")
		default:
			continue
		}
		l, ok := stagedLearning(parts[2], tags, change)
		if seen[kind]++; seen[kind] <= maxLines && ok {
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
