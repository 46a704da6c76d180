package when

import (
	"slices"
	"strings"
	"unicode"

	"whence/internal/decision"
	"whence/internal/text"
)

const (
	// minSentenceWords is the number of words with a meaning that a first sentence needs: "Yes." and
	// "Status: accepted" are followed by one that says more.
	minSentenceWords = 3

	// maxSentenceItems bounds a sentence without an end, such as a list.
	maxSentenceItems = 4
)

// firstSentence returns the first sentence of the prose in Markdown text, without its label, with the
// short ones before it.
func firstSentence(markdown string) string {
	var sentence []string
	for _, s := range decision.Sentences(markdown) {
		if s.Label != "" && !saysEnough(s.Text) {
			continue
		}
		sentence = append(sentence, s.Text)
		text := strings.Join(sentence, " ")
		if len(sentence) == maxSentenceItems || strings.ContainsAny(s.Text[len(s.Text)-1:], ".!?") && saysEnough(text) {
			return text
		}
	}
	return strings.Join(sentence, " ")
}

// saysEnough reports whether a text has enough words with a meaning, other than numbers and dates.
func saysEnough(sentence string) bool {
	words := slices.DeleteFunc(text.Terms(sentence), func(w string) bool { return !strings.ContainsFunc(w, unicode.IsLetter) })
	return len(words) >= minSentenceWords
}

// titlesAbove returns the titles of the sections that a heading is in: "Prerequisites" means little
// without them.
func (p headingRef) titlesAbove() (titles string) {
	for h := p.head().Parent; h >= 0; h = p.file.Headings[h].Parent {
		titles += p.file.Headings[h].Title + "\n"
	}
	return titles
}
