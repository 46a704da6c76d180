package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"
)

// Stem reduces an English word, in lower case, to what its forms have in common:
// "writing" and "writes" to "write". It is Porter's second stemmer (snowball), except
// that a double letter at the end becomes a single one always, so that "add"
// and "adding" agree. What would leave less than two letters ("aing") stays as it is. An s behind
// consonants alone goes: "https" is "http".
func Stem(word string) string {
	stem := english.Stem(word, false)
	if len(stem) < 2 {
		return word
	}
	if n := len(stem); n > 3 && stem[n-1] == 's' && !strings.ContainsAny(stem, "aeiouy") {
		stem = stem[:n-1]
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

// Stemmer reduces the words of a store, and remembers those that it has met.
type Stemmer map[string]string

// Stem returns a word of [Terms] as a store compares it: its stem, without accents.
func (s Stemmer) Stem(word string) string {
	stem, known := s[word]
	if !known {
		stem = StemOf(strings.Map(withoutAccent, word))
		s[word] = stem
	}
	return stem
}

// Stems returns the stems of all words of a text, in their order. Underscores separate words.
func (s Stemmer) Stems(text string) []string {
	stems := words(text)
	for i, word := range stems {
		stems[i] = s.Stem(word)
	}
	return stems
}

// Parts returns the stems of the parts of identifiers in a text, without those that are whole
// words of it.
func (s Stemmer) Parts(text string) (stems []string) {
	have := map[string]bool{}
	for _, word := range words(text) {
		have[word] = true
	}
	for _, word := range Terms(text) {
		if !have[word] && !strings.Contains(word, "_") {
			have[word] = true
			stems = append(stems, s.Stem(word))
		}
	}
	return stems
}

// words returns all words of a text in lower case. Underscores separate them.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == '_' || !IsWordRune(r) })
}

// withoutAccent returns a lower-case letter in its usual form: of an accented Latin letter the
// letter of ASCII, and of an accent nothing.
func withoutAccent(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case 0x300 <= r && r <= 0x36f:
		return -1
	}
	r = unicode.ToLower(unicode.ToUpper(r)) // several small letters may have one capital
	var buf [utf8.UTFMax]byte
	if base := norm.NFD.Properties(buf[:utf8.EncodeRune(buf[:], r)]).Decomposition(); len(base) > 0 && base[0] < utf8.RuneSelf {
		return rune(base[0])
	}
	return r
}
