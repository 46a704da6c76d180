package text

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// NotTextError reports a text that came in and cannot be stored as it was given: it is not UTF-8, or
// has a NUL.
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
	for {
		at := strings.IndexByte(src, '\\')
		if at < 0 {
			return nil
		}
		src = src[at:]
		unit, escaped := escapedUnit(src)
		if !escaped {
			src = src[len(`\n`):]
			continue
		}
		src = src[len(`\u0000`):]
		if utf16.IsSurrogate(unit) {
			low, _ := escapedUnit(src)
			if utf16.DecodeRune(unit, low) == utf8.RuneError {
				return &NotTextError{what}
			}
			src = src[len(`\u0000`):]
		}
		if unit == 0 {
			return &NotTextError{what}
		}
	}
}

// escapedUnit returns the UTF-16 unit that JSON source begins with as an escape, and whether it does.
func escapedUnit(src string) (unit rune, escaped bool) {
	if len(src) < len(`\u0000`) || !strings.HasPrefix(src, `\u`) {
		return 0, false
	}
	n, err := strconv.ParseUint(src[2:6], 16, 16)
	return rune(n), err == nil
}
