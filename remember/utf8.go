package remember

import (
	"strings"
	"unicode/utf8"

	"whence/internal/lazyregexp"
)

// NotTextError reports an input that cannot be stored as it was given: it is not UTF-8, or has a NUL.
type NotTextError struct{ What string } // the text, as in "the text on standard input"

func (e *NotTextError) Error() string {
	return e.What + " is not UTF-8 text, or has a NUL: convert it to UTF-8 first"
}

// CheckUTF8 returns a *NotTextError unless all texts are UTF-8 without NUL.
func CheckUTF8(what string, texts ...string) error {
	for _, s := range texts {
		if !utf8.ValidString(s) || strings.Contains(s, "\x00") {
			return &NotTextError{what}
		}
	}
	return nil
}

// checkEscapes returns a *NotTextError if a JSON value escapes a NUL, or half of a surrogate pair, which
// the decoder would replace by U+FFFD.
func checkEscapes(what string, src string) error {
	src = strings.ReplaceAll(src, `\\`, " ") // escaped backslashes
	if notText().MatchString(surrogatePair().ReplaceAllString(src, "")) {
		return &NotTextError{what}
	}
	return nil
}

var (
	surrogatePair = lazyregexp.New(`(?i)\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}`)
	notText       = lazyregexp.New(`(?i)\\u(?:0000|d[89a-f][0-9a-f]{2})`)
)
