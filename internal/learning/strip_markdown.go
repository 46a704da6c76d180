package learning

import (
	"strings"

	"whence/internal/text"
)

// prose returns a text without Markdown: no marks of headings, bullets and emphasis, no
// backquotes, fenced code, rules, tables, labels, and only the words of links. Lines of a
// paragraph are joined; an empty line separates paragraphs.
func prose(s string) string {
	var b strings.Builder
	fenced, gap := "", false
	for line := range strings.SplitSeq(text.Clean(s), "\n") {
		line = strings.TrimSpace(line)
		if fenced != "" {
			if strings.HasPrefix(line, fenced) {
				fenced = ""
			}
			continue
		}
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fenced = line[:3]
			gap = true
			continue
		}
		bare, block := withoutBlockMark(line)
		if bare = withoutLabel(withoutInlineMarks(bare)); bare == "" || strings.HasPrefix(bare, "|") || !hasWords(bare, 1) {
			gap = true
			continue
		}
		switch {
		case b.Len() == 0:
		case gap || block:
			b.WriteString("\n\n")
		default:
			b.WriteByte(' ')
		}
		b.WriteString(bare)
		gap = strings.HasPrefix(line, "#")
	}
	if b.Len() == 0 { // nothing but code
		return strings.Join(strings.Fields(withoutInlineMarks(text.Clean(s))), " ")
	}
	return b.String()
}

// withoutBlockMark drops what makes a line a heading, an item or a quotation, and reports
// whether there was anything.
func withoutBlockMark(line string) (rest string, found bool) {
	rest = strings.TrimLeft(line, "#>")
	if rest != line && (rest == "" || rest[0] == ' ') {
		line, found = strings.TrimSpace(rest), true
	}
	for _, bullet := range []string{"- ", "* ", "+ ", "• "} {
		if after, cut := strings.CutPrefix(line, bullet); cut {
			after = strings.TrimSpace(after)
			for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
				after = strings.TrimPrefix(after, box)
			}
			return after, true
		}
	}
	if digits := strings.TrimLeft(line, "0123456789"); len(digits) < len(line) && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")) {
		return strings.TrimSpace(digits[2:]), true
	}
	return line, found
}

// labels introduce what counts.
var labels = wordSet{words: `
	statement rule claim question answer finding problem issue fix solution lesson summary context behavior behaviour
	description overview background details learning insight note tip constraint recommendation decision decisions action takeaway
	principle observation root-cause`}

// withoutLabel drops a label in front of a line, or all of a line that is one.
func withoutLabel(line string) string {
	label, rest, found := strings.Cut(line, ":")
	rest = strings.TrimSpace(rest)
	key := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(label), " ", "-"))
	isNumber := strings.HasPrefix(key, "skill-") && strings.TrimRight(key, "0123456789") != key // of a catalogue
	if labels.has(key) || found && rest != "" && isNumber {
		return rest
	}
	return line
}

// withoutInlineMarks drops emphasis, back-quotes and the targets of links.
func withoutInlineMarks(line string) string {
	line = strings.NewReplacer("`", "", "~~", "").Replace(withoutEmphasis(line))
	for {
		middle := strings.Index(line, "](")
		if middle < 0 {
			return line
		}
		open, end := strings.LastIndexByte(line[:middle], '['), strings.IndexByte(line[middle:], ')')
		if open < 0 || end < 0 {
			return line
		}
		line = line[:open] + line[open+1:middle] + line[middle+end+1:]
	}
}
