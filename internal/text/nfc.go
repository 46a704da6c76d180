package text

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// NFC returns the composed form of a text, in which equal texts are equal bytes.
func NFC(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return norm.NFC.String(s)
		}
	}
	return s
}
