package words

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// Composed returns a text in NFC, the form in which texts are compared and stored: a letter and its accents are one
// character where Unicode has one.
func Composed(text string) string { return norm.NFC.String(text) }

// Fold returns a text in NFC with full case folding: "Straße" and "STRASSE" become equal.
func Fold(s string) string {
	if isASCII(s) { // like nearly all titles
		return strings.ToLower(s)
	}
	return Composed(cases.Fold().String(Decomposed(s)))
}

// Lower returns a text in lower case by the rules of Unicode: İ becomes two characters, and a capital sigma at the
// end of a word becomes ς.
func Lower(s string) string { return cases.Lower(language.Und).String(s) }

// Decomposed returns a text in NFD: an accent is a character of its own.
func Decomposed(s string) string { return norm.NFD.String(s) }

// UpperFirst returns a text with a capital as its first letter.
func UpperFirst(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:size]) + s[size:]
}
