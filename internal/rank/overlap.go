// Package rank compares texts by the words they share, and estimates which documents apply to a text.
// It is pure.
package rank

import "whence/internal/text"

// Words returns the set of distinct words of a text, lower case and without stop words.
func Words(s string) map[string]bool {
	words := map[string]bool{}
	for _, w := range text.Fields(s) {
		if !text.IsStopWord(w) {
			words[w] = true
		}
	}
	return words
}

// Overlap returns the share of the larger set that is in both, from 0 to 1, and 0 for empty sets.
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
