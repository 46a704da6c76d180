package dispatch

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/agent/usertext"
	"whence/internal/text"
)

// Limits of the parts of a reply, in characters with all that is in them except the line that heads
// pointers, and the one that heads texts. No part takes room from another; together they stay about
// 2,000.
const (
	maxPointersChars = 600
	maxTextChars     = 600 // of a decision
	maxLearnedChars  = 600 // learnings and turns
)

const (
	maxLearned     = 3 // learnings and turns
	maxSourceChars = 300
	maxTitleChars  = 200

	// MinTextP is the probability from which a decision comes with its text. A text is some ten
	// times as long as a pointer, so it has to be right.
	MinTextP = 0.75

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
// decisions, the text of one if texts is set, then learnings and turns.
func (r *Request) render(s *Session, items []Item, texts bool) string {
	wasShown := func(i Item) bool { return s.WasShown(r.Subagent, i.Key) }
	learnedAt := indexOf(items, Learning)
	decisions := slices.DeleteFunc(slices.Clone(items[:learnedAt]), wasShown)
	learned := slices.DeleteFunc(mixed(items[learnedAt:]), wasShown)
	text, at := "", -1
	if texts {
		text, at = r.textOf(decisions)
	}
	if at >= 0 {
		s.MarkShown(r.Subagent, decisions[at].Key)
		decisions = slices.Delete(decisions, at, at+1)
	}
	pointers, pointed := pointersTo(decisions)
	s.markLines(r.Subagent, pointed)
	if pointers != "" {
		pointers = usertext.Pointers + r.reading() + "\n" + pointers
	}
	lines, whole := r.linesOf(learned, texts)
	for _, i := range learned[:whole] {
		s.MarkShown(r.Subagent, i.Key)
	}
	s.markLines(r.Subagent, learned[whole:])
	if text += lines; text == "" {
		return pointers
	}
	if pointers != "" {
		pointers += "\n"
	}
	return pointers + usertext.Recalled + text
}

// textOf returns the first decision that applies almost certainly and has a text, or at least a first
// paragraph, that fits, and its index; -1 if there is none.
func (r *Request) textOf(decisions []Item) (part string, at int) {
	for at, i := range decisions {
		if i.P < MinTextP || i.Text == "" {
			continue
		}
		head, body := r.Quote(i)
		if utf8.RuneCountInString(head+body) >= maxTextChars {
			body = text.InertParagraphs(firstParagraph(i.Text)) + " …"
		}
		if part := head + body + "\n"; utf8.RuneCountInString(part) <= maxTextChars {
			return part, at
		}
	}
	return "", -1
}

// firstParagraph returns a text up to its first empty line.
func firstParagraph(text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	first, _, _ := strings.Cut(text, "\n\n")
	return first
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
