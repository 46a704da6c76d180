package inert

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/words"
)

// Clean turns any bytes into valid, composed (NFC), trimmed UTF-8. It removes terminal colours and control
// characters other than line ends and tabs. Control characters that separate words become line ends or spaces,
// and invalid bytes become U+FFFD. It keeps every visible character and is idempotent.
func Clean(text string) string { return strings.TrimFunc(cleaned(text), IsBlank) }

// IsBlank reports whether r is white space by unicode.IsSpace, or by Python's str.isspace, which adds the
// separators U+001C to U+001F.
func IsBlank(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

func cleaned(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for at := 0; at < len(text); {
		if text[at] == '\x1b' {
			at += escapeEnd(text[at:])
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		at += size
		switch {
		case r == '\r' && at < len(text) && text[at] == '\n':
		case r == '\n', r == '\t':
			b.WriteRune(r)
		case r == '\r', r == '\v', r == '\f', r == '\u0085', r == '\u2028', r == '\u2029':
			b.WriteByte('\n')
		case r >= 0x1c && r <= 0x1f:
			b.WriteByte(' ')
		case unicode.IsControl(r), r == '\ufeff':
		default:
			b.WriteRune(r)
		}
	}
	return words.Composed(b.String())
}

// escapeEnd returns the length of the escape sequence that a text begins with: a control sequence (ECMA-48:
// parameters, intermediates, one final byte), a title or link with its terminator, or the escape alone.
func escapeEnd(text string) int {
	if len(text) < 2 {
		return 1
	}
	switch text[1] {
	case '[':
		for i := 2; i < len(text); i++ {
			switch c := text[i]; {
			case c >= 0x40 && c <= 0x7e:
				return i + 1
			case c < 0x20 || c > 0x3f:
				return 1
			}
		}
	case ']':
		for i := 2; i < len(text); i++ {
			switch {
			case text[i] == '\a':
				return i + 1
			case text[i] == '\x1b' && i+1 < len(text) && text[i+1] == '\\':
				return i + 2
			case text[i] < 0x20:
				return 1
			}
		}
	}
	return 1
}
