package learning

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/redact"
)

// How many lines of a staged file are taken, as wt-tools did. Learnings, decisions and contexts
// count together.
const (
	maxStaged      = 5
	maxStagedRules = 2 // of conventions, and of cheat sheets
)

// ParseStaged reads a file in which wt-tools has put aside what it had extracted from a
// session. Its lines are "kind|tags|text"; one that begins with #CHANGE: names the change that
// the session worked on. As many of each kind count as wt-tools would have taken.
func ParseStaged(text string) (all []Learning) {
	change := ""
	seen := map[string]int{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, is := strings.CutPrefix(line, "#CHANGE:"); is {
			change = Clean(name)
			continue
		}
		parts := strings.SplitN(line, "|", 3)
		if len(parts) < 3 {
			continue
		}
		tags := strings.FieldsFunc(parts[1], func(r rune) bool { return r == ',' || r == ' ' })
		kind, most := strings.TrimSpace(parts[0]), maxStaged
		switch kind {
		case "Learning", "Decision", "Context":
			kind = ""
		case "Convention":
			most, tags = maxStagedRules, append(tags, "convention", "cheat-sheet")
		case "CheatSheet":
			most, tags = maxStagedRules, append(tags, "cheat-sheet")
		default:
			continue
		}
		l, ok := stagedLearning(parts[2], tags, change)
		if seen[kind]++; seen[kind] <= most && ok {
			all = append(all, l)
		}
	}
	return all
}

// stagedLearning makes a learning of a line. The tags are put before a text that is too short
// for a learning: "preference: User wants tabs".
func stagedLearning(text string, tags []string, change string) (l Learning, ok bool) {
	text, kinds := redact.Text(Clean(text))
	if !LongEnough(text) && text != "" {
		var more []string // tags are text as well
		text, more = redact.Text(strings.Join(tags, " ") + ": " + text)
		kinds = append(kinds, more...)
	}
	said := text
	if len(kinds) > 0 { // a mark says nothing
		said = redact.ReplaceMarks(text, "")
	}
	if !LongEnough(said) {
		return l, false
	}
	l = Learning{
		Description: text, Confidence: Low, Source: Import,
		Reasoning: "Extracted from a past session by an earlier tool.",
	}
	if change != "" {
		l.Reasoning = fmt.Sprintf("Extracted by an earlier tool from a session that worked on %s.", change)
	}
	for _, word := range slices.Concat(tags, Keywords("", text, "")) {
		if _, secret := redact.Text(word); len(secret) > 0 {
			continue
		}
		if word = strings.ToLower(word); ValidKeyword(word) && !slices.Contains(l.Keywords, word) {
			l.Keywords = append(l.Keywords, word)
		}
	}
	return l, true
}
