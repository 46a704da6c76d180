package learning

import (
	"strings"
	"unicode"
)

// ParseClaudeIndex reads MEMORY.md, in which Claude Code lists its notes, whose names are given, and
// may keep facts besides. Lines that name a note are left out; of the others, each section is a part.
func ParseClaudeIndex(markdown string, notes map[string]bool) []NotePart {
	var rest strings.Builder
	for line := range strings.Lines(markdown) {
		if !namesNote(line, notes) {
			rest.WriteString(line)
		}
	}
	return ParseNote(rest.String(), "", 0)
}

// maxFileNameBytes is the length of a name in common file systems.
const maxFileNameBytes = 255

// namesNote reports whether a line has the name of a note, as in [Title](name.md), or [[name]].
func namesNote(line string, notes map[string]bool) bool {
	for at := range len(line) {
		if strings.HasPrefix(line[at:], ".md") {
			before := line[max(0, at-maxFileNameBytes):at]
			if notes[before[len(strings.TrimRightFunc(before, isFileNameRune)):]+".md"] {
				return true
			}
		}
		if after, found := strings.CutPrefix(line[at:], "[["); found {
			name, _, found := strings.Cut(after[:min(len(after), maxFileNameBytes)], "]]")
			if found && notes[name+".md"] {
				return true
			}
		}
	}
	return false
}

func isFileNameRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.", r)
}
