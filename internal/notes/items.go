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

// comment matches an HTML comment. One that is never closed ends with its line.
var comment = text.Lazy(`(?s)<!--.*?-->|<!--[^\n]*`)

// items returns the items of a Markdown note in order, without secrets and private parts.
// Headings, comments, placeholders in brackets, empty rows and table headers are not items.
func items(src []byte) (all []item) {
	s := text.Clean(strings.TrimPrefix(string(src), "\ufeff"))
	s, _ = redact.Text(comment().ReplaceAllString(s, ""))
	section, open, inList := "", "", false // open: the current item
	end := func() {
		if !isPlaceholder(open) {
			all = append(all, item{section, open})
		}
		open, inList = "", false
	}
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, " \t\n")
		trimmed := strings.TrimLeft(line, " \t")
		entry, isEntry := entryOf(trimmed)
		isRule := trimmed != "" && strings.Trim(trimmed, "-=|: \t") == ""
		switch {
		case isRule && !inList && strings.ContainsAny(trimmed, "-=") && len(trimmed) > 1:
			open = "" // the line above is a heading, maybe of a table
		case trimmed == "", isRule, strings.HasPrefix(trimmed, "```"):
			end()
		case strings.HasPrefix(trimmed, "#"):
			end()
			section = ""
			if strings.HasPrefix(trimmed, "##") {
				section = strings.Trim(trimmed, "# \t")
			}
		case strings.HasPrefix(trimmed, "|"):
			end()
			open = strings.Join(strings.Fields(strings.ReplaceAll(strings.Trim(trimmed, "| \t"), "|", " · ")), " ")
		case isEntry && (trimmed == line || open == ""):
			end()
			open, inList = entry, true
		default:
			open = strings.TrimSpace(open + " " + entry)
		}
	}
	end()
	return all
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
	text = strings.Trim(text, "*_· \t")
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
