package turns

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
)

// Fold returns a key that is equal for turns of a session with the same content, regardless of
// case and spaces. In turns of tools, numbers do not count either: the same failure comes with
// another line, time or process.
func Fold(t Turn) string {
	text := strings.ToLower(oneLine(t.Text))
	if t.Role == Tool {
		text = withoutNumbers(text)
	}
	sum := sha256.Sum256([]byte(string(t.Kind) + "\x00" + text))
	return hex.EncodeToString(sum[:8])
}

// withoutNumbers replaces each run of digits with 0.
func withoutNumbers(text string) string {
	inNumber := false
	return strings.Map(func(r rune) rune {
		wasInNumber := inNumber
		inNumber = unicode.IsDigit(r)
		switch {
		case !inNumber:
			return r
		case wasInNumber:
			return -1
		}
		return '0'
	}, text)
}
