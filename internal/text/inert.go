package text

import "strings"

// Inert returns a text that Markdown shows as plain paragraphs: cleaned, without invisible
// characters, no line indented or empty, and a backslash before what would open a heading, a
// fence, a rule, a bullet, a quotation, a table or a tag. Words are not changed.
func Inert(text string) string {
	text = visible(Clean(text))
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimFunc(line, IsBlank)
		if line == "" {
			continue
		}
		if opensBlock(line) {
			line = `\` + line
		} else if at := listNumber(line); at > 0 {
			line = line[:at] + `\` + line[at:]
		}
		lines = append(lines, inertTags(line))
	}
	return strings.Join(lines, "\n")
}

// opensBlock reports whether a trimmed line may begin or end something in CommonMark other
// than a paragraph or a numbered item.
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

// listNumber returns the place of the dot or parenthesis of a numbered item, in which anything
// may begin; 0 for any other line.
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
func inertTags(line string) string {
	if !strings.Contains(line, "<") {
		return line
	}
	var b strings.Builder
	escaped := false // by an odd number of backslashes
	for i := range len(line) {
		if line[i] == '<' && !escaped && i+1 < len(line) && beginsTag(line[i+1]) {
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

// visible drops invisible characters that can carry or reorder text (tags, directions).
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && IsUnseen(r) {
			return -1
		}
		return r
	}, s)
}
