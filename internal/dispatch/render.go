package dispatch

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"whence/internal/agent/usertext"
	"whence/internal/text"
)

const (
	maxReplyChars  = 2000 // unless parts that are not recalled need more
	minTextChars   = 200  // of a text that is worth showing
	maxSourceChars = 300
	maxTitleChars  = 200
)

// Quote returns an item as an agent sees it: its source and title, and its text. Both are inert:
// they open no heading, fence or tag, and hold no control characters.
func (r *Request) Quote(i Item) (head, body string) {
	head = fmt.Sprintf("\n[%s]\n", Clip(OneLine(r.Origin(i)), maxSourceChars))
	body = text.Inert(i.Text)
	if title := OneLine(i.Title); title != "" && (len(body) < len(title) || !strings.EqualFold(body[:len(title)], title)) { // else the text begins with it
		head += Clip(title, maxTitleChars) + "\n"
	}
	return head, body
}

// render prints items, best first, in maxChars characters: whole texts while there is room for the
// beginnings of all others, then the beginning of each. It returns the items that are in it.
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
		for _, need := range needs[n+1:] { // later items keep their beginnings, if there is room
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
func OneLine(s string) string { return strings.Join(strings.Fields(text.Inert(s)), " ") }
