package eval

import (
	"math/rand/v2"
	"strings"
	"unicode"
)

// Typo is a query with a letter left out, doubled, replaced, or swapped with the next, behind the first
// two letters of a word of at least five.
func Typo(query string, random *rand.Rand) string {
	words := strings.Fields(query)
	for range 50 {
		i := random.IntN(len(words))
		w := []byte(words[i])
		if len(w) < 5 || strings.ContainsFunc(words[i], func(r rune) bool { return !unicode.IsLetter(r) }) {
			continue
		}
		at := 2 + random.IntN(len(w)-3)
		switch random.IntN(4) {
		case 0:
			w = append(w[:at], w[at+1:]...)
		case 1:
			w = append(w[:at+1], w[at:]...)
		case 2:
			w[at] = 'q'
		case 3:
			w[at], w[at+1] = w[at+1], w[at]
		}
		words[i] = string(w)
		break
	}
	return strings.Join(words, " ")
}

// Rotated is a query with its first word at the end.
func Rotated(query string) string {
	words := strings.Fields(query)
	return strings.Join(append(words[1:], words[0]), " ")
}
