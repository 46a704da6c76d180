package wording

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/decision"
	"whence/validate"
)

// FitPhrases returns phrases as situations, of one line with single spaces, without repeated and empty
// ones. It also returns why it refused others.
func FitPhrases(phrases []string) (fit, refused []string) {
	seen := map[string]bool{}
	for _, text := range phrases {
		phrase := strings.Join(strings.Fields(text), " ")
		key := decision.Key(phrase)
		switch n := validate.CountWords(phrase); {
		case phrase == "" || seen[key]:
			continue
		case strings.Contains(phrase, "-->"):
			refused = append(refused, fmt.Sprintf("situation %q has -->, which would end the comment: remove it", phrase))
		case !IsLine(phrase):
			refused = append(refused, fmt.Sprintf("situation %q has control characters: remove them", phrase))
		case n > validate.MaxPhraseWords:
			refused = append(refused, fmt.Sprintf("situation %q has %d words: write at most %d, what someone types, does or sees", phrase, n, validate.MaxPhraseWords))
		default:
			seen[key] = true
			fit = append(fit, phrase)
		}
	}
	return fit, refused
}

// IsLine reports whether text is one line of UTF-8 without control characters.
func IsLine(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && r != '\t' || r == '\u2028' || r == '\u2029'
	})
}
