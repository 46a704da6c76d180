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
	maxLearnedChars  = 600 // learnings and turns
)

const (
	maxLearned     = 3 // learnings and turns
	maxSourceChars = 300
	maxTitleChars  = 200

	// minTextChars is the size of a part of a text that is worth showing.
	minTextChars = 100

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
// decisions, then a line of each learning and turn; if texts is set, more of the first one.
func (r *Request) render(s *Session, items []Item, texts bool) string {
	wasShown := func(i Item) bool { return s.WasShown(r.Subagent, i.Key) }
	learnedAt := indexOf(items, Learning)
	decisions := slices.DeleteFunc(slices.Clone(items[:learnedAt]), wasShown)
	learned := slices.DeleteFunc(mixed(items[learnedAt:]), wasShown)
	pointers, pointed := pointersTo(decisions)
	for _, i := range slices.Concat(pointed, learned) {
		s.MarkShown(r.Subagent, i.Key)
	}
	if pointers != "" {
		pointers = usertext.Pointers + r.reading() + "\n" + pointers
	}
	lines, _ := r.linesOf(learned, texts)
	if lines == "" {
		return pointers
	}
	if pointers != "" {
		pointers += "\n"
	}
	return pointers + usertext.Recalled + lines
}

// mixed returns the first learnings and turns to be shown: the best of each, then the next.
func mixed(items []Item) (mixed []Item) {
	turns := indexOf(items, Turn)
	for n := range items {
		if n < turns {
			mixed = append(mixed, items[n])
		}
		if turns+n < len(items) {
			mixed = append(mixed, items[turns+n])
		}
	}
	return mixed[:min(len(mixed), maxLearned)]
}

// indexOf returns the index of the first item of a kind, or of a later one. Items are sorted by kind.
func indexOf(items []Item, kind Kind) int {
	if at := slices.IndexFunc(items, func(i Item) bool { return i.Kind >= kind }); at >= 0 {
		return at
	}
	return len(items)
}

// linesOf returns a line for each learning and turn. If texts is set, and the line of the first one
// would be cut, it returns as much of its text as there is room for. The number of such texts, 0 or
// 1, is returned too.
func (r *Request) linesOf(items []Item, texts bool) (text string, whole int) {
	if len(items) == 0 {
		return "", 0
	}
	var lines []string
	cutLearning := false
	maxLineChars := (maxLearnedChars - len(allOfOne) - 1) / max(2, len(items))
	for n, i := range items {
		line := "- [" + Clip(OneLine(r.Origin(i)), maxLineChars/2) + "] "
		if title := titleOf(i); title != "" {
			line += title + ": "
		}
		line += OneLine(i.Text)
		cut := Clip(line, maxLineChars-1)
		if cut != line && n == 0 && texts {
			whole = 1
		} else if cut != line && i.Kind == Learning {
			cutLearning = true
		}
		lines = append(lines, cut+"\n")
	}
	rest := strings.Join(lines[whole:], "")
	if whole == 1 {
		head, body := r.Quote(items[0])
		room := maxLearnedChars - utf8.RuneCountInString(head+rest+allOfOne) - 2 // line ends
		if room < minTextChars {
			return r.linesOf(items, false)
		}
		shown := Clip(body, room)
		cutLearning = cutLearning || items[0].Kind == Learning && shown != body
		text = head + shown + "\n"
	}
	if rest != "" {
		text += "\n" + rest
	}
	if cutLearning {
		text += allOfOne
	}
	return text, whole
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
