package dispatch

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"whence/internal/agent/usertext"
	"whence/internal/learning"
)

// maxReplyChars is how many characters are told at an event at most, as far as what is recalled
// can make room for the rest, and shortest how many of a text are worth being shown.
const (
	maxReplyChars = 2000
	minTextChars  = 200
)

// maxSourceChars and longestTitle are how many characters are shown of where an item comes
// from, and of its title.
const (
	maxSourceChars = 300
	maxTitleChars  = 200
)

// Quote returns an item as an agent sees it: where it comes from with its title, and its
// text. Both are inert: they open no heading, no fence and no tag, and hold no control
// characters.
func (r *Request) Quote(i Item) (head, body string) {
	head = fmt.Sprintf("\n[%s]\n", Clip(OneLine(r.Origin(i)), maxSourceChars))
	body = learning.Inert(i.Text)
	if title := OneLine(i.Title); title != "" && (len(body) < len(title) || !strings.EqualFold(body[:len(title)], title)) { // else it says the same
		head += Clip(title, maxTitleChars) + "\n"
	}
	return head, body
}

// render prints items for an agent, best first, in maxChars characters at most: whole texts
// while there is room for the beginnings of all, then the beginning of each. Shown are those
// that are in it.
func (r *Request) render(items []Item, maxChars int) (text string, shown []Item) {
	var out strings.Builder
	out.WriteString(usertext.Recalled)
	left := maxChars - utf8.RuneCountInString(usertext.Recalled)
	heads, bodies, needs := make([]string, len(items)), make([]string, len(items)), make([]int, len(items))
	for n, i := range items {
		heads[n], bodies[n] = r.Quote(i)
		needs[n] = utf8.RuneCountInString(heads[n]) + min(minTextChars, utf8.RuneCountInString(bodies[n])) + 1
	}
	for n, i := range items {
		if left < needs[n] {
			continue // the next one may be shorter
		}
		room := left
		for _, need := range needs[n+1:] { // what comes behind keeps its beginning, if there is room
			if room-need >= needs[n] {
				room -= need
			}
		}
		text := heads[n] + Clip(bodies[n], room-utf8.RuneCountInString(heads[n])-1) + "\n"
		left -= utf8.RuneCountInString(text)
		out.WriteString(text)
		shown = append(shown, i)
	}
	if len(shown) == 0 {
		return "", nil
	}
	return out.String(), shown
}

// Clip is the beginning of a text: whole paragraphs if there are any, else whole lines or
// words.
func Clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	text = string([]rune(text)[:most-2])
	for _, end := range []string{"\n\n", "\n", " "} {
		if at := strings.LastIndex(text, end); at > len(text)/3 {
			return strings.TrimSpace(text[:at]) + " …"
		}
	}
	return text + " …"
}

// OneLine is a text on one inert line.
func OneLine(text string) string { return strings.Join(strings.Fields(learning.Inert(text)), " ") }
