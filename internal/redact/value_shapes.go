package redact

import (
	"strings"
	"unicode"

	"whence/internal/lazyregexp"
)

// What a value looks like, from what a person may choose to what only a machine makes. In an assignment, these shapes
// mostly do not matter, because any value is removed there; they decide where nothing is assigned.

const (
	passwordMarks = "!@#$%^&*?+~="
	minMadeBytes  = 8
)

func hasCapital(value string) bool { return strings.ToLower(value) != value }
func hasDigit(value string) bool   { return strings.ContainsAny(value, "0123456789") }

// isPlain reports whether a value has a letter, and only printable ASCII without spaces: tide-table.
func isPlain(value string) bool {
	return !strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' }) && strings.ContainsFunc(value, unicode.IsLetter)
}

// isMarked reports whether a value has a digit or a mark, unlike words: tide7, tide!.
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

// isMixed reports whether letters and digits alternate as if made by a machine, or the value is random: 4f9a2c71.
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

// isRandom reports whether a value is long and mixes small and capital letters like no name, with three to seven
// capitals in ten letters: QzTnWkLpRbXcVdYm.
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
