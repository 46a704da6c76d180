package when

import (
	"regexp"
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

	// maxSentenceLines bounds a sentence without an end, such as a list.
	maxSentenceLines = 4
)

var (
	// label matches the beginning of a line like "**Decision:** retry twice".
	label = regexp.MustCompile(`^\*\*[^*]+:\*\*|^\*\*[^*]+\*\*:`)

	linkTarget  = regexp.MustCompile(`\]\([^)]*\)`)
	sentenceEnd = regexp.MustCompile(`[.!?]["')*_]*(\s|$)`)
)

// firstSentence returns the first sentence of the prose in Markdown text, without labels and link
// targets.
func firstSentence(markdown string) string {
	var sentence string
	lines := 0
	for _, line := range decision.Prose(markdown) {
		plain := label.ReplaceAllString(line, "")
		if plain != line && !saysEnough(plain) {
			continue
		}
		sentence += linkTarget.ReplaceAllString(plain, "]") + " "
		lines++
		for _, end := range sentenceEnd.FindAllStringIndex(sentence, -1) {
			if s := strings.TrimSpace(sentence[:end[1]]); saysEnough(s) {
				return s
			}
		}
		if lines == maxSentenceLines {
			break
		}
	}
	return strings.TrimSpace(sentence)
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
