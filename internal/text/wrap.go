package text

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks a text between words into lines of at most maxChars characters; a longer word has a
// line to itself. It returns one empty line for an empty text.
func Wrap(text string, maxChars int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > maxChars:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
