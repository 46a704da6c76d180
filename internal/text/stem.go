package text

import (
	"strings"

	"github.com/kljensen/snowball/english"
)

// Stem reduces an English word, in lower case, to what its forms have in common:
// "writing" and "writes" to "write". It is Porter's second stemmer (snowball), but for
// one thing: a double letter at the end becomes a single one always, so that "add"
// and "adding" agree. What would leave less than two letters ("aing") stays as it is.
func Stem(word string) string {
	stem := english.Stem(word, false)
	if len(stem) < 2 {
		return word
	}
	if n := len(stem); n > 2 && stem[n-1] == stem[n-2] && stem[n-1] >= 'b' && stem[n-1] != 'e' && stem[n-1] != 'o' {
		stem = stem[:n-1]
	}
	return stem
}

// StemOf returns the form by which words are compared: those of two letters and those with
// digits or underscores as they are, others by their stem.
func StemOf(word string) string {
	if len(word) < 3 || strings.ContainsAny(word, "_0123456789") {
		return word
	}
	return Stem(word)
}
