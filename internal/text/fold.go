package text

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold returns a text in NFC without differences of case, by full case folding: "Straße" and
// "STRASSE" are equal.
func Fold(s string) string {
	if IsASCII(s) { // as nearly all titles of a memory are
		return strings.ToLower(s)
	}
	return norm.NFC.String(cases.Fold().String(norm.NFD.String(s)))
}

// Decomposed returns a text in NFD: an accent is a character of its own.
func Decomposed(s string) string { return norm.NFD.String(s) }
