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

// ID returns the name of a learning, from its description: the first 16 hexadecimal digits of
// the SHA-256 of the text in lower case with single spaces. Punctuation counts. It equals Python's
// sha256(" ".join(description.lower().split())), whose stores can be imported: U+001C to
// U+001F are spaces, İ becomes two characters, and a capital sigma at the end of a word
// becomes ς.
func ID(description string) string {
	return shortHash(strings.Join(strings.FieldsFunc(words.Lower(description), inert.IsBlank), " "))
}

// SourceHash is like ID, but of the text byte for byte: if it is equal, nothing has changed.
func SourceHash(raw string) string { return shortHash(raw) }

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:idLength]
}

// Folded returns a text without the differences that make no other learning: Unicode normalization,
// case (full case folding: Straße, STRASSE), spaces, also those between a script without spaces and another, and
// . 。 ! ！ … ; ； at its end. All else means something: a question mark, C and C#, a negation in any
// language, and the İ and ı of Turkish, whose folding is another.
func Folded(s string) string {
	return withoutFinalMarks(words.JoinUnspaced(strings.FieldsFunc(words.Fold(s), inert.IsBlank)))
}

// withoutFinalMarks drops the marks that end a sentence, maybe after a space, as in French. Dots after
// slashes or spaces mean something: ./... and "cd ..".
func withoutFinalMarks(s string) string {
	cut := strings.TrimRight(s, ".。!！…;； ")
	if cut == "" || strings.HasSuffix(cut, "/") || strings.HasPrefix(s[len(cut):], " .") {
		return s
	}
	return cut
}
