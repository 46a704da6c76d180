package learning

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"whence/internal/inert"
	"whence/internal/words"
)

// idLength is the number of hexadecimal digits kept of a hash.
const idLength = 16

// ID returns the id of a learning with a description: the first 16 hexadecimal digits of the
// SHA-256 of the text in lower case with single spaces. Punctuation counts. So that stores made
// with Python can be imported, the id equals sha256(" ".join(description.lower().split())) there:
// U+001C to U+001F are spaces, İ becomes two characters, and a capital sigma at the end of a
// word becomes ς.
func ID(description string) string {
	return shortHash(strings.Join(strings.FieldsFunc(words.Lower(description), inert.IsBlank), " "))
}

// SourceHash is like ID, but hashes the text byte for byte: if the hash is equal, nothing has changed.
func SourceHash(raw string) string { return shortHash(raw) }

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:idLength]
}

// Folded returns a text without the differences that do not make another learning: Unicode normalization,
// case (full case folding: Straße, STRASSE), spaces, also those between a script without spaces and another, and
// . 。 ! ！ … ; ； at its end. Everything else is significant: a question mark, C and C#, a negation in any
// language, and the Turkish İ and ı, which fold differently.
func Folded(s string) string {
	return withoutFinalMarks(words.JoinUnspaced(strings.FieldsFunc(words.Fold(s), inert.IsBlank)))
}

// withoutFinalMarks drops the marks that end a sentence, also after a space, as in French. Dots after
// slashes or spaces are significant: ./... and "cd ..".
func withoutFinalMarks(s string) string {
	cut := strings.TrimRight(s, ".。!！…;； ")
	if cut == "" || strings.HasSuffix(cut, "/") || strings.HasPrefix(s[len(cut):], " .") {
		return s
	}
	return cut
}
