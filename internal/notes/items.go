package notes

import (
	"strings"
	"time"

	"whence/internal/redact"
	"whence/internal/text"
)

// item is a piece of content of a Markdown note: a list item with what is indented below it, a
// table row, or a paragraph.
type item struct {
	section string // the heading above it; "": the title of the file
	text    string // on one line
}

// String returns an item for an agent, bounded and inert. A dated one was appended, and does not
// belong to the heading above it.
func (i item) String() string {
	text := i.text
	if i.section != "" && !isDated(text) {
		text = i.section + ": " + text
	}
	return oneLine(text, maxItemBytes)
}

// items returns the items of a Markdown note in order, without secrets and private parts.
// Headings, comments, placeholders in brackets, empty rows and table headers are not items.
func items(src []byte) []item {
	s := text.Clean(strings.TrimPrefix(string(src), "\ufeff"))
	s, _ = redact.Text(withoutComments(s))
	var p parser
	for line := range strings.Lines(s) {
		p.line(strings.TrimRight(line, " \t\n"))
	}
	p.end()
	return p.items
}

// withoutComments removes HTML comments. One that is never closed ends with its line.
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
	open    string // the current item, on one line
	inList  bool   // the current item is a list item
	apart   bool   // a blank line follows the current item
	inTable bool
	fence   string // the marks that close it
}

// line reads a line.
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
	if _, run, opens := text.FenceOpen(trimmed); opens {
		p.fence = trimmed[:run]
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
		if p.open != "" && !p.inList && (trimmed[0] == '=' || trimmed[0] == '-') { // the line above is a heading
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

// row reads a row of a table. The row above the dashes is the header.
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

// more adds a text to the current item.
func (p *parser) more(text string) {
	if p.open != "" {
		p.open += " "
	}
	p.open += text
}

// end ends the current item.
func (p *parser) end() {
	if !isPlaceholder(p.open) {
		p.items = append(p.items, item{p.section, p.open})
	}
	p.open, p.inList = "", false
}

// isHeading reports whether a line is an ATX heading.
func isHeading(line string) bool {
	rest := strings.TrimLeft(line, "#")
	marks := len(line) - len(rest)
	return marks >= 1 && marks <= 6 && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// isRule reports whether a line is a thematic break or the underline of a heading.
func isRule(line string) bool {
	for _, mark := range []string{"-", "=", "*", "_"} {
		if strings.Trim(line, mark) == "" {
			return len(line) >= 2
		}
	}
	return false
}

// entryOf returns the text of a list item.
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

// isPlaceholder reports whether a text has no content: a checkbox, a label, a text in brackets
// to fill in.
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

// isDated reports whether a text begins with a date.
func isDated(text string) bool {
	_, err := time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))])
	return err == nil
}
