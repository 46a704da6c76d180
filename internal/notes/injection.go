package notes

import (
	"errors"
	"slices"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/inert"
	"whence/internal/lazyregexp"
	"whence/internal/redact"
	"whence/internal/words"
)

// Bounds of an injection, and of one item in it.
const (
	maxInjectionBytes = 1200
	maxItemBytes      = 240
)

// injected lists the files whose content is injected; the last one only when a session begins.
var injected = []string{contextFile, decisionsFile, findingsFile, errorsFile}

// injection returns the notes for an agent; "" if they are empty.
func (f *folder) injection(begins bool) (string, error) {
	var all error
	lists := make([][]string, len(injected))
	for i, name := range injected {
		if name == errorsFile && !begins {
			continue
		}
		src, err := f.read(name, maxReadBytes)
		all = errors.Join(all, err)
		if name == errorsFile {
			lists[i] = failures(src)
		} else {
			lists[i] = newestFirst(name, items(src))
		}
	}
	return injectionText(lists), all
}

// record matches the first line of a record in errors.log.
var record = lazyregexp.New(`(?m)^\[(\d{4}-\d\d-\d\d) [^\]\n]*\] Attempt (\d+): (.*)$`)

// failures returns the failures in a log, the newest first. Equal failures are returned once.
func failures(log []byte) (lines []string) {
	seen := map[string]bool{}
	text, _ := redact.Text(inert.Clean(string(log)))
	for _, m := range slices.Backward(record().FindAllStringSubmatch(text, -1)) {
		if said := normalized(m[3]); seen[said] {
			continue
		} else {
			seen[said] = true
		}
		line := words.Shorten(m[1]+" "+inert.Line(m[3]), maxItemBytes)
		if m[2] != "1" {
			line += " (" + m[2] + " times)"
		}
		lines = append(lines, line)
	}
	return lines
}

// injectionText joins lists, each with its most important item first. It takes one item of each list in turn until
// the injection is full.
func injectionText(lists [][]string) string {
	left := maxInjectionBytes - len(agent.NotesHead)
	chosen := make([]string, len(lists))
	for slices.ContainsFunc(lists, func(list []string) bool { return len(list) > 0 }) {
		for i, list := range lists {
			if len(list) == 0 {
				continue
			}
			text := "- " + list[0] + "\n"
			lists[i] = list[1:]
			if chosen[i] == "" {
				text = injected[i] + ":\n" + text
			}
			if len(text) <= left { // otherwise a shorter item may still fit
				left -= len(text)
				chosen[i] += text
			}
		}
	}
	if text := strings.Join(chosen, ""); text != "" {
		return agent.NotesHead + text
	}
	return ""
}

// newestFirst returns the items of a note, each on an inert line, the last one first. Undated items of context.md
// precede them in their own order: a goal comes before what follows from it.
func newestFirst(name string, all []item) (lines []string) {
	isGoal := func(i item) bool { return name == contextFile && !isDated(i.text) }
	for _, i := range all {
		if isGoal(i) {
			lines = append(lines, i.String())
		}
	}
	for _, i := range slices.Backward(all) {
		if !isGoal(i) {
			lines = append(lines, i.String())
		}
	}
	return lines
}

// item is a piece of content of a Markdown note: a list item, a table row, or a paragraph.
type item struct {
	section string // the heading above it; "": none, or the title of the file
	text    string // on one line
}

// String returns an item for an agent, bounded and inert, with its section. A dated item has none: it was appended,
// and does not belong to the heading above it.
func (i item) String() string {
	said := i.text
	if i.section != "" && !isDated(said) {
		said = i.section + ": " + said
	}
	return words.Shorten(inert.Line(said), maxItemBytes)
}

// skipped matches HTML comments and fenced code. One that is never closed ends with its line.
var skipped = lazyregexp.New("(?s)<!--.*?-->|<!--[^\n]*|(?m:^[ \t]*)(?:```.*?```|~~~.*?~~~|```|~~~)[^\n]*")

// items returns the items of a Markdown note in order, without secrets and private parts.
// Headings, comments, code, placeholders in brackets, empty rows and table headers are not items.
func items(src []byte) (all []item) {
	s := inert.Clean(strings.TrimPrefix(string(src), "\ufeff"))
	s, _ = redact.Text(skipped().ReplaceAllString(s, ""))
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
		text, isItem := itemText(trimmed)
		isRule := trimmed != "" && strings.Trim(trimmed, "-=|: \t") == ""
		switch {
		case isRule && !inList && strings.ContainsAny(trimmed, "-=") && len(trimmed) > 1:
			open = "" // the line above is a heading, or the head of a table
		case trimmed == "", isRule:
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
		case isItem && (trimmed == line || open == ""):
			end()
			open, inList = text, true
		default:
			open = strings.TrimSpace(open + " " + text)
		}
	}
	end()
	return all
}

// itemText returns the text of a list item without its marker, and any other line unchanged.
func itemText(line string) (text string, isItem bool) {
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

// isPlaceholder reports whether a text has no content: it is empty, or only a checkbox, a label, or a text in
// brackets to fill in.
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
