// Package inert makes text harmless for terminals, agents, Markdown, the store, JSON and messages: it cleans and
// quotes text, removes or escapes invisible characters, and puts text on one line.
package inert

import (
	"slices"
	"strings"
)

// Text returns a text whose markup has no effect on an agent that reads it: without invisible characters, and
// with a backslash before anything that would open or close a tag, a code fence or a heading. It keeps lines and
// words. Markup that begins with one of ours belongs to whence and is not changed.
func Text(text string, ours ...string) string {
	isOurs := func(markup string) bool {
		return slices.ContainsFunc(ours, func(begin string) bool { return strings.HasPrefix(markup, begin) })
	}
	lines := strings.Split(visible(text), "\n")
	for i, line := range lines {
		markup := strings.TrimLeft(line, " \t")
		if opensFenceOrHeading(markup) && !isOurs(markup) {
			line = line[:len(line)-len(markup)] + `\` + markup
		}
		lines[i] = inertTags(line, isOurs)
	}
	return strings.Join(lines, "\n")
}

func opensFenceOrHeading(line string) bool {
	if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
		return true
	}
	title := strings.TrimLeft(line, "#")
	level := len(line) - len(title)
	return 1 <= level && level <= 6 && (title == "" || title[0] == ' ' || title[0] == '\t')
}

// Paragraphs returns an inert text that Markdown shows as plain paragraphs: no line is indented or empty, and
// a backslash also precedes anything that would open a rule, a list item, a quotation or a table.
func Paragraphs(text string) string {
	var lines []string
	for line := range strings.SplitSeq(Text(text), "\n") {
		line = strings.TrimFunc(line, IsBlank)
		if line == "" {
			continue
		}
		if opensBlock(line) {
			line = `\` + line
		} else if at := listNumber(line); at > 0 {
			line = line[:at] + `\` + line[at:]
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Line returns a text on one inert line.
func Line(text string) string {
	var lines []string
	for line := range strings.SplitSeq(visible(text), "\n") {
		if line = strings.TrimFunc(line, IsBlank); line != "" {
			lines = append(lines, line)
		}
	}
	return Paragraphs(strings.Join(lines, " "))
}

// opensBlock reports whether a trimmed line may begin or end a CommonMark block other than a paragraph or a
// numbered item.
func opensBlock(line string) bool {
	switch line[0] {
	case '#', '>', '|':
		return true
	case '=':
		return strings.Trim(line, "=") == ""
	case '`', '~':
		return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
	case '-', '+', '*', '_':
		return len(line) == 1 || line[1] == ' ' || line[1] == '\t' || strings.Trim(line, line[:1]+" \t") == ""
	case '[':
		return strings.Contains(line, "]:")
	}
	return false
}

// listNumber returns the offset of the dot or parenthesis of a numbered item whose text opens another block. It
// returns 0 for any other line.
func listNumber(line string) int {
	at := len(line) - len(strings.TrimLeft(line, "0123456789"))
	if at == 0 || at > 9 || at == len(line) || line[at] != '.' && line[at] != ')' {
		return 0
	}
	rest := strings.TrimLeft(line[at+1:], " \t")
	if len(rest) == len(line)-at-1 || rest == "" || !opensBlock(rest) && listNumber(rest) == 0 {
		return 0 // a number in a sentence, or an item with ordinary text
	}
	return at
}

// inertTags puts a backslash before what begins a tag or a comment.
func inertTags(line string, isOurs func(string) bool) string {
	if !strings.Contains(line, "<") {
		return line
	}
	var b strings.Builder
	escaped := false // an odd number of backslashes precedes
	for i := range len(line) {
		if line[i] == '<' && !escaped && i+1 < len(line) && beginsTag(line[i+1]) && !isOurs(line[i:]) {
			b.WriteByte('\\')
		}
		escaped = line[i] == '\\' && !escaped
		b.WriteByte(line[i])
	}
	return b.String()
}

func beginsTag(b byte) bool {
	return b == '/' || b == '!' || b == '?' || 'a' <= b|' ' && b|' ' <= 'z'
}

// visible cleans a text and removes its invisible characters, except line ends and tabs.
func visible(text string) string {
	return replaceUnseen(cleaned(text), func(_ int, r rune) string {
		if r == '\n' || r == '\t' {
			return string(r)
		}
		return ""
	})
}
