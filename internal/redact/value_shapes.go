package redact

import (
	"strings"
	"unicode"

	"whence/internal/lazyregexp"
)

// What a value looks like, from what a person may choose to what only a machine makes. None of these decides behind a
// name in an assignment, where any value goes; they do where nothing assigns.

const (
	passwordMarks = "!@#$%^&*?+~="
	minMadeBytes  = 8
)

func hasCapital(value string) bool { return strings.ToLower(value) != value }
func hasDigit(value string) bool   { return strings.ContainsAny(value, "0123456789") }

// isPlain reports whether a value has letters, and ASCII alone: tide-table.
func isPlain(value string) bool {
	return !strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' }) && strings.ContainsFunc(value, unicode.IsLetter)
}

// isMarked reports whether a value has a digit or a mark, as words have not: tide7, tide!.
func isMarked(value string) bool {
	return len(value) >= minGivenBytes && (hasDigit(value) || strings.ContainsAny(value, passwordMarks))
}

// invented matches a password as people invent them, two words and a number: Lobster.Quilt.2.
var invented = lazyregexp.New(`^[A-Za-z]+(?:[._-]\w+|[a-z][A-Z]|[a-z]\d+[a-z]+)[\w.!-]*$`)

// isInvented reports whether a value is such a password, of both cases and with a digit.
func isInvented(value string) bool {
	return len(value) >= minMadeBytes && invented().MatchString(value) && hasDigit(value) && hasCapital(value) &&
		strings.ToUpper(value) != value && !isHarmless(value)
}

// isMade reports whether a value is neither a word nor a name with a version: it is mixed, or has a digit and a mark: tide7!sluice.
func isMade(value string) bool {
	return isMixed(value) || len(value) >= minMadeBytes && isPlain(value) && hasDigit(value) && strings.ContainsAny(value, passwordMarks)
}

// isMixed reports whether letters and digits take turns as by a machine: 4f9a2c71.
func isMixed(value string) bool {
	changes := 0
	for i := 1; i < len(value); i++ {
		b, c := value[i-1], value[i]
		if isAlnum(b) && isAlnum(c) && isDigit(b) != isDigit(c) {
			changes++
		}
	}
	return len(value) >= minMadeBytes && isPlain(value) && (changes >= 3 || isRandom(value))
}

// isRandom reports whether a value is long and its small and capital letters are mixed as in no name, three to
// seven of ten being capitals: QzTnWkLpRbXcVdYm.
func isRandom(value string) bool {
	letters, capitals := 0, 0
	for i := range len(value) {
		if isLetter(value[i]) {
			letters++
		}
		if isCapital(value[i]) {
			capitals++
		}
	}
	return len(value) >= 16 && 10*capitals >= 3*letters && 10*capitals <= 7*letters && isPlain(value)
}
