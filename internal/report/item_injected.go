package report

import (
	"strings"

	"whence/internal/agent/usertext"
)

// ItemKind is the kind of an item.
type ItemKind string

// The kinds of items.
const (
	Decision ItemKind = "decision"
	Learning ItemKind = "learning"
	Turn     ItemKind = "turn"
)

// Item is a decision, learning or turn that was injected.
type Item struct {
	Kind    ItemKind `json:"kind"`
	Line    bool     `json:"line,omitempty"`    // only a line of it was injected; of a decision, a pointer
	File    string   `json:"file,omitempty"`    // of a decision; a pointer does not name it
	Query   string   `json:"query,omitempty"`   // of a decision, as in "/when taking a payment"
	ID      string   `json:"id,omitempty"`      // of a learning, if shown
	Title   string   `json:"title,omitempty"`   // the first line of its text
	Missing string   `json:"missing,omitempty"` // a file that it names and that is missing
	Use     Use      `json:"use,omitempty"`
}

func (i Item) isPointer() bool { return i.Kind == Decision && i.Line }

// injectedItem is an item with its text.
type injectedItem struct {
	Item
	text string
}

// hasInjection reports whether a text has decisions, learnings or turns that whence has injected.
func hasInjection(text string) bool {
	return lineAt(text, usertext.Pointers) >= 0 || lineAt(text, usertext.Recalled) >= 0 || lineAt(text, usertext.Learnings) >= 0
}

// hasAnswer reports whether a text answers a /when in a prompt.
func hasAnswer(text string) bool {
	return strings.Contains(text, "\nRelated:\n- /when ") || strings.Contains(text, "\nRelated:\n- /how ")
}

// itemsIn returns the items in an injected text.
func itemsIn(text string) (all []injectedItem) {
	if at := lineAt(text, usertext.Learnings); at >= 0 {
		part, _, _ := strings.Cut(text[at:], "\n---\n")
		all = append(all, readLearnings(part)...)
	}
	if at := lineAt(text, usertext.Pointers); at >= 0 {
		all = append(all, readPointers(text[at:])...)
	}
	if at := lineAt(text, usertext.Recalled); at >= 0 {
		all = append(all, readRecalled(text[at+len(usertext.Recalled):])...)
	}
	return all
}

// lineAt returns the offset of the first line with a prefix, or -1.
func lineAt(text, begin string) int {
	if strings.HasPrefix(text, begin) {
		return 0
	}
	if at := strings.Index(text, "\n"+begin); at >= 0 {
		return at + 1
	}
	return -1
}

// readPointers parses pointers, which follow the line about them.
func readPointers(text string) (all []injectedItem) {
	_, below, _ := strings.Cut(text, "\n")
	for line := range strings.Lines(below) {
		query, is := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !is {
			break
		}
		query, title, _ := strings.Cut(query, "  (")
		all = append(all, injectedItem{Item: Item{Kind: Decision, Line: true, Query: query, Title: strings.TrimSuffix(title, ")")}})
	}
	return all
}

// readRecalled parses recalled items. A text follows its source, a line in brackets; a line begins
// with it.
func readRecalled(text string) (all []injectedItem) {
	for line := range strings.Lines(text) {
		line, isLine := strings.CutPrefix(line, "- ")
		source, rest := line, ""
		if isLine {
			source, rest, _ = strings.Cut(line, "] ")
			source += "]"
		}
		if item, is := parseSource(strings.TrimSpace(source)); is {
			item.Line = isLine
			item.Title, _, _ = strings.Cut(strings.TrimSpace(rest), ": ")
			all = append(all, injectedItem{Item: item, text: rest})
			continue
		}
		if len(all) == 0 {
			continue
		}
		last := &all[len(all)-1]
		if last.text == "" {
			last.Title = strings.TrimSpace(line)
		}
		last.text += line
	}
	return all
}

// parseSource parses the source of an item.
func parseSource(line string) (i Item, is bool) {
	inside, is := strings.CutPrefix(line, "[")
	inside, closed := strings.CutSuffix(inside, "]")
	if !is || !closed {
		return i, false
	}
	if rest, doubtful, found := strings.Cut(inside, ", unverified: "); found {
		inside = rest
		i.Missing, _ = strings.CutSuffix(doubtful, " is missing here")
	}
	switch {
	case strings.HasPrefix(inside, "learned "):
		_, id, found := strings.Cut(inside, " confidence, id ")
		i.Kind, i.ID = Learning, id
		return i, found
	case strings.HasPrefix(inside, "said by "):
		i.Kind = Turn
		return i, true
	}
	for _, operator := range []string{", /when ", ", /how "} {
		if at := strings.LastIndex(inside, operator); at > 0 {
			file, number := inside[:at], ""
			if colon := strings.LastIndexByte(file, ':'); colon > 0 {
				file, number = file[:colon], file[colon+1:]
			}
			i.Kind, i.File, i.Query = Decision, file, inside[at+len(", "):]
			return i, number != "" && strings.Trim(number, "0123456789") == ""
		}
	}
	return i, false
}

// readLearnings parses the learnings that are shown when a session begins. Each has a heading, and
// two lines about it after its text.
func readLearnings(text string) (all []injectedItem) {
	heading, body := "", ""
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "### "), strings.HasPrefix(line, "#### "):
			heading, body = strings.TrimSpace(strings.TrimLeft(line, "#")), ""
		case strings.HasPrefix(line, "- Observation count: ") && heading != "":
			all = append(all, injectedItem{Item{Kind: Learning, Title: heading}, heading + "\n" + body})
			heading = ""
		default:
			body += line
		}
	}
	return all
}
