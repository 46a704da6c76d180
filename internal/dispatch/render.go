package dispatch

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/agent/usertext"
	"whence/internal/text"
)

// Limits of the parts of a reply, in characters with all that is in them except the lines that head
// them. No part takes room from another.
const (
	maxPointersChars = 600
	maxLearnedChars  = 600
	maxSessionsChars = 700
)

const (
	maxLearned     = 3
	maxSessions    = 2
	maxSourceChars = 300
	maxTitleChars  = 200

	// allOfOne follows lines of learnings that are cut.
	allOfOne = "All of one: memory-remember show ID\n"
)

// Quote returns an item as an agent sees it: its source and title, and its text. Both are inert:
// they open no heading, fence or tag, and hold no control characters.
func (r *Request) Quote(i Item) (head, body string) {
	head = fmt.Sprintf("\n[%s]\n", Clip(OneLine(r.Origin(i)), maxSourceChars))
	if title := titleOf(i); title != "" {
		head += title + "\n"
	}
	return head, text.InertParagraphs(i.Text)
}

// titleOf returns the title of an item, on one line; "" if its text begins with it.
func titleOf(i Item) string {
	title, body := OneLine(i.Title), OneLine(i.Text)
	if len(body) >= len(title) && strings.EqualFold(body[:len(title)], title) {
		return ""
	}
	return Clip(title, maxTitleChars)
}

// render renders the items that the agent was not shown in this session, and marks them: pointers to
// decisions, lines of past sessions, and a line of each learning.
func (r *Request) render(s *Session, items []Item) string {
	items = slices.DeleteFunc(slices.Clone(items), func(i Item) bool { return s.WasShown(r.Subagent, i.Key) })
	pointers, shown := pointersTo(ofKind(items, Decision))
	sessions, named := sessionLines(ofKind(items, PastSession))
	learned, told := r.learningLines(ofKind(items, Learning))
	for _, i := range slices.Concat(shown, named, told) {
		s.MarkShown(r.Subagent, i.Key)
	}
	var parts []string
	if pointers != "" {
		parts = append(parts, usertext.Pointers+r.reading()+"\n"+pointers)
	}
	if sessions != "" {
		parts = append(parts, usertext.Sessions+sessions)
	}
	if learned != "" {
		parts = append(parts, usertext.Recalled+learned)
	}
	return strings.Join(parts, "\n")
}

func ofKind(items []Item, kind Kind) []Item {
	return slices.DeleteFunc(slices.Clone(items), func(i Item) bool { return i.Kind != kind })
}

// sessionLines returns the lines that name sessions, and the sessions for which there is room.
func sessionLines(items []Item) (lines string, shown []Item) {
	for _, i := range items[:min(len(items), maxSessions)] {
		line := "- " + strings.ReplaceAll(text.InertParagraphs(strings.TrimPrefix(i.Text, "- ")), "\n", " ") + "\n"
		if utf8.RuneCountInString(lines+line) <= maxSessionsChars {
			lines, shown = lines+line, append(shown, i)
		}
	}
	return lines, shown
}

// learningLines returns a line of each learning, and the learnings that are in them.
func (r *Request) learningLines(items []Item) (lines string, shown []Item) {
	shown = items[:min(len(items), maxLearned)]
	if len(shown) == 0 {
		return "", nil
	}
	maxLineChars := (maxLearnedChars - len(allOfOne)) / max(2, len(shown))
	cut := false
	for _, i := range shown {
		line := "- [" + Clip(OneLine(r.Origin(i)), maxLineChars/2) + "] "
		if title := titleOf(i); title != "" {
			line += title + ": "
		}
		line += OneLine(i.Text)
		clipped := Clip(line, maxLineChars-1)
		cut = cut || clipped != line
		lines += clipped + "\n"
	}
	if cut {
		lines += allOfOne
	}
	return lines, shown
}

// Clip returns the beginning of a text: whole paragraphs if possible, else whole lines or words.
func Clip(text string, maxChars int) string {
	if utf8.RuneCountInString(text) <= maxChars {
		return text
	}
	text = string([]rune(text)[:maxChars-2])
	for _, end := range []string{"\n\n", "\n", " "} {
		if at := strings.LastIndex(text, end); at > len(text)/3 {
			return strings.TrimSpace(text[:at]) + " …"
		}
	}
	return text + " …"
}

// OneLine returns a text on one inert line.
func OneLine(s string) string { return strings.Join(strings.Fields(text.InertParagraphs(s)), " ") }
