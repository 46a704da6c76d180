package notes

import (
	"strings"
	"time"

	"whence/internal/redact"
	"whence/internal/text"
)

// item is a piece of content of a Markdown note: a list item, a table row, or a paragraph.
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
	inList  bool   // it is a list item
	fence   string // the marks that close a code block
}

func (p *parser) line(line string) {
	trimmed := strings.TrimLeft(line, " \t")
	if p.fence != "" {
		if trimmed == p.fence {
			p.fence = ""
		} else {
			p.open += " " + trimmed
		}
		return
	}
	if _, run, opens := text.FenceOpen(trimmed); opens {
		p.fence = trimmed[:run]
		return
	}
	entry, isEntry := entryOf(trimmed)
	switch {
	case trimmed == "":
		p.end()
	case strings.HasPrefix(trimmed, "#"):
		p.end()
		p.section = ""
		if strings.HasPrefix(trimmed, "##") {
			p.section = strings.Trim(trimmed, "# \t")
		}
	case strings.Trim(trimmed, "-=*_|: \t") == "": // a rule
		if p.inList || len(trimmed) == 1 || strings.ContainsAny(trimmed, "*_") || !strings.ContainsAny(trimmed, "-=") {
			p.end()
		}
		p.open = "" // the line above is a heading, maybe of a table
	case strings.HasPrefix(trimmed, "|"):
		p.end()
		p.open = strings.Join(strings.FieldsFunc(trimmed, func(c rune) bool { return c == '|' }), "·")
	case isEntry && (trimmed == line || p.open == ""):
		p.end()
		p.open, p.inList = entry, true
	default:
		p.open += " " + entry
	}
}

// end ends the current item.
func (p *parser) end() {
	text := strings.Trim(p.open, "· \t")
	if text = strings.Join(strings.Fields(text), " "); !isPlaceholder(text) {
		p.items = append(p.items, item{p.section, text})
	}
	p.open, p.inList = "", false
}

// entryOf returns the text of a list item, or else of a line.
func entryOf(line string) (text string, isEntry bool) {
	marks, rest := []string{"- ", "* ", "+ "}, strings.TrimLeft(line, "0123456789")
	if rest != line {
		marks = []string{". ", ") "}
	}
	for _, mark := range marks {
		if text, is := strings.CutPrefix(rest, mark); is {
			return strings.TrimSpace(text), true
		}
	}
	return line, false
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
	inside, opens := strings.CutPrefix(text, "[")
	inside, closes := strings.CutSuffix(inside, "]")
	return text == "" || opens && closes && !strings.ContainsAny(inside, "[]")
}

// isDated reports whether a text begins with a date.
func isDated(text string) bool {
	_, err := time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))])
	return err == nil
}
