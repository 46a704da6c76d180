package learning

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"

	"whence/internal/text"
)

// idLength is the number of hexadecimal digits kept of a hash.
const idLength = 16

// ID returns the name of a learning, from its description: the first 16 hexadecimal digits of
// the SHA-256 of the text in lower case with single spaces. Punctuation counts. It equals Python's
// sha256(" ".join(description.lower().split())), whose stores can be imported: U+001C to
// U+001F are spaces, İ becomes two characters, and a capital sigma at the end of a word
// becomes ς.
func ID(description string) string {
	return shortHash(strings.Join(strings.FieldsFunc(lower(description), text.IsBlank), " "))
}

// SourceHash is like ID, but of the text byte for byte: if it is equal, nothing has changed.
func SourceHash(raw string) string { return shortHash(raw) }

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:idLength]
}

// lower is Python's str.lower: simple mappings except for two characters (Unicode 15,
// SpecialCasing.txt and section 3.13). cases.Lower of x/text differs in what precedes a sigma.
func lower(text string) string {
	if !strings.ContainsAny(text, "İΣ") {
		return strings.ToLower(text)
	}
	runes := []rune(text)
	var b strings.Builder
	for i, r := range runes {
		switch {
		case r == 'İ':
			b.WriteString("i̇")
		case r == 'Σ' && isFinal(runes, i):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// isFinal reports whether a letter follows a letter and precedes none, ignoring signs that
// belong to words.
func isFinal(runes []rune, i int) bool {
	before := i - 1
	for before >= 0 && isCaseIgnorable(runes[before]) {
		before--
	}
	if before < 0 || !isCased(runes[before]) {
		return false
	}
	after := i + 1
	for after < len(runes) && isCaseIgnorable(runes[after]) {
		after++
	}
	return after == len(runes) || !isCased(runes[after])
}

func isCased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

func isCaseIgnorable(r rune) bool {
	return r == '\u0387' || strings.ContainsRune("'.:·՟״‘’․‧︓﹒﹕＇．：", r) ||
		unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}

// Folded returns a text without the differences that make no other learning: Unicode normalization,
// case (full case folding: Straße, STRASSE), spaces, and . 。 ! ！ … at its end. All else means
// something: a question mark, C and C#, a negation in any language.
func Folded(s string) string {
	return withoutFinalMarks(strings.Join(strings.FieldsFunc(text.Fold(s), text.IsBlank), " "))
}

// withoutFinalMarks drops the marks that end a sentence, maybe after a space, as in French. Dots after
// slashes or spaces mean something: ./... and "cd ..".
func withoutFinalMarks(s string) string {
	cut := strings.TrimRight(s, ".。!！… ")
	if cut == "" || strings.HasSuffix(cut, "/") || strings.HasPrefix(s[len(cut):], " .") {
		return s
	}
	return cut
}
