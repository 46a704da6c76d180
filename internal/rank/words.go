// Package rank compares pieces of text by the words they share. It is pure and
// knows nothing of files.
package rank

import (
	"strings"
	"unicode"
)

// stopWords carry no evidence: they occur in titles of every subject.
var stopWords = map[string]bool{
	"a": true, "an": true, "and": true, "are": true, "as": true, "at": true, "be": true, "by": true,
	"for": true, "from": true, "how": true, "in": true, "into": true, "is": true, "it": true, "its": true,
	"of": true, "on": true, "or": true, "that": true, "the": true, "their": true, "then": true, "this": true,
	"to": true, "was": true, "were": true, "when": true, "with": true,
}

// IsStopWord tells whether a word, in lower case, carries no evidence.
func IsStopWord(word string) bool { return stopWords[word] }

// Words is the set of distinct words of a text, lower case and without stop
// words. A word is a run of letters, digits and underscores.
func Words(text string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}) {
		if !stopWords[w] {
			words[w] = true
		}
	}
	return words
}

// Overlap is the share of the larger set that both sets hold, from 0 to 1. Two
// empty sets have nothing in common.
func Overlap(a, b map[string]bool) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	shared := 0
	for w := range a {
		if b[w] {
			shared++
		}
	}
	if len(b) == 0 {
		return 0
	}
	return float64(shared) / float64(len(b))
}
