package notes

import (
	"strings"

	"whence/internal/learning"
	"whence/internal/redact"
)

// item is something that a Markdown note says: an entry of a list with what is indented
// below it, a row of a table, or a paragraph.
type item struct {
	section string // the heading it stands below; "" is the title of the file
	text    string // on one line
}

// String is an item as an agent is told it, in bounds, inert. One with a date stands at the
// end of the file, below whatever heading is the last.
func (i item) String() string {
	text := i.text
	if i.section != "" && !isDated(text) {
		text = i.section + ": " + text
	}
	return oneLine(text, maxItemBytes)
}

// items are what a Markdown note says, in its order. Headings, comments, placeholders in
// brackets, empty rows and the heads of tables say nothing, and neither do secrets and
// private parts.
func items(src []byte) []item {
	text := learning.Clean(strings.TrimPrefix(string(src), "\ufeff"))
	text, _ = redact.Text(withoutComments(text))
	var p parser
	for line := range strings.Lines(text) {
		p.line(strings.TrimRight(line, " \t\n"))
	}
	p.end()
	return p.items
}

// withoutComments is a text without HTML comments. One that is never closed ends with its
// line, so that it takes nothing along.
func withoutComments(text string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<!--")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		_, behind, closed := strings.Cut(rest, "-->")
		if !closed {
			_, behind, _ = strings.Cut(rest, "\n")
			behind = "\n" + behind
		}
		text = behind
	}
}

// parser reads the lines of a note.
type parser struct {
	items   []item
	section string
	open    string // what is read of an item, on one line
	inList  bool   // and it is one of a list
	apart   bool   // and a blank line stands behind it
	inTable bool
	fence   string // the marks that close it
}

// line reads one.
func (p *parser) line(line string) {
	trimmed := strings.TrimLeft(line, " \t")
	indented := len(line)-len(trimmed) >= 2 && line != ""
	if p.fence != "" {
		if strings.HasPrefix(trimmed, p.fence) && strings.Trim(trimmed, p.fence[:1]) == "" {
			p.fence = ""
		} else {
			p.more(trimmed)
		}
		return
	}
	if mark := fenceOf(trimmed); mark != "" {
		p.fence = mark
		return
	}
	isRow := strings.HasPrefix(trimmed, "|")
	if !isRow {
		p.inTable = false
	}
	entry, isEntry := entryOf(trimmed)
	switch {
	case trimmed == "":
		if p.apart = true; !p.inList {
			p.end()
		}
		return
	case isHeading(trimmed):
		p.end()
		p.section = ""
		if strings.HasPrefix(trimmed, "##") {
			p.section = strings.Trim(trimmed, "# \t")
		}
	case isRule(trimmed):
		if p.open != "" && !p.inList && (trimmed[0] == '=' || trimmed[0] == '-') { // what stands above it is a heading
			p.section = p.open
			if trimmed[0] == '=' {
				p.section = ""
			}
			p.open = ""
		}
		p.end()
	case isRow:
		p.row(trimmed)
	case isEntry && (!indented || p.open == ""):
		p.end()
		p.open, p.inList = entry, true
	case isEntry:
		p.more(entry)
	default:
		if p.inList && p.apart && !indented {
			p.end()
		}
		p.more(trimmed)
	}
	p.apart = false
}

// row reads a row of a table. The one above the dashes is its head.
func (p *parser) row(line string) {
	var cells []string
	for cell := range strings.SplitSeq(strings.Trim(line, "| \t"), "|") {
		if cell = strings.TrimSpace(cell); cell != "" {
			cells = append(cells, cell)
		}
	}
	if strings.Trim(line, "|:- \t") == "" {
		if strings.Contains(line, "-") && !p.inTable {
			p.open, p.inTable = "", true
		}
		return
	}
	p.end()
	p.open = strings.Join(cells, " · ")
}

// more is another part of the item that is read.
func (p *parser) more(text string) {
	if p.open != "" {
		p.open += " "
	}
	p.open += text
}

// end ends the item that is read.
func (p *parser) end() {
	if !isPlaceholder(p.open) {
		p.items = append(p.items, item{p.section, p.open})
	}
	p.open, p.inList = "", false
}

// isHeading tells whether a line is an ATX heading.
func isHeading(line string) bool {
	rest := strings.TrimLeft(line, "#")
	marks := len(line) - len(rest)
	return marks >= 1 && marks <= 6 && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// isRule tells whether a line is drawn across, or underlines what stands above it.
func isRule(line string) bool {
	for _, mark := range []string{"-", "=", "*", "_"} {
		if strings.Trim(line, mark) == "" {
			return len(line) >= 2
		}
	}
	return false
}

// fenceOf are the marks that a line opens a fence with, or "".
func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// entryOf is what an entry of a list says.
func entryOf(line string) (text string, is bool) {
	if line == "-" || line == "*" || line == "+" {
		return "", true
	}
	for _, mark := range []string{"- ", "* ", "+ "} {
		if text, is := strings.CutPrefix(line, mark); is {
			return strings.TrimSpace(text), true
		}
	}
	rest := strings.TrimLeft(line, "0123456789")
	if rest == line || len(rest) < 2 || rest[0] != '.' && rest[0] != ')' || rest[1] != ' ' {
		return "", false
	}
	return strings.TrimSpace(rest[2:]), true
}

// isPlaceholder tells whether a text says nothing: a box to tick, a label, and brackets
// around what is to be filled in.
func isPlaceholder(text string) bool {
	for _, box := range []string{"[ ]", "[x]", "[X]"} {
		text = strings.TrimPrefix(text, box)
	}
	text = strings.Trim(text, "*_ \t")
	if label, rest, found := strings.Cut(text, ":"); found && !strings.ContainsAny(label, "[`(") {
		text = strings.Trim(rest, "*_ \t")
	}
	if text == "" {
		return true
	}
	inside, opens := strings.CutPrefix(text, "[")
	inside, closes := strings.CutSuffix(inside, "]")
	return opens && closes && !strings.ContainsAny(inside, "[]")
}

// isDated tells whether a text begins with a day.
func isDated(text string) bool {
	const day = "0000-00-00"
	if len(text) < len(day) {
		return false
	}
	for i := range len(day) {
		digit := text[i] >= '0' && text[i] <= '9'
		if digit != (day[i] == '0') || !digit && text[i] != '-' {
			return false
		}
	}
	return true
}
