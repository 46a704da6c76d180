// Package text cuts text into words, cleans it before it is stored, and makes it harmless where a
// terminal or Markdown shows it.
package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsUnseen reports whether a character is not shown but does something: control
// characters, among them tabs and line ends, separators of lines, and what turns the
// direction of text or carries text that is not seen. Joiners of scripts and emoji are not.
func IsUnseen(r rune) bool {
	switch {
	case r < 0x80:
		return r < ' ' || r == 0x7f
	case r == '\u200c', r == '\u200d':
		return false
	case r == '\u2028', r == '\u2029':
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// Printable returns a text on one line for a terminal, with escapes for invisible characters.
func Printable(line string) string {
	if !strings.ContainsFunc(line, IsUnseen) && utf8.ValidString(line) {
		return line
	}
	return escaped(line, func(int) bool { return false })
}

// PrintableLines returns a text of several lines for a terminal: as Printable does, except that
// tabs and line ends stay.
func PrintableLines(text string) string {
	kept := func(i int) bool {
		return text[i] == '\n' || text[i] == '\t' || text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n'
	}
	for i, r := range text {
		if IsUnseen(r) && !kept(i) || r == utf8.RuneError {
			return escaped(text, kept)
		}
	}
	return text
}

func escaped(text string, kept func(int) bool) string {
	var out strings.Builder
	for i, r := range text { // a byte that is no UTF-8 is U+FFFD here
		if IsUnseen(r) && !kept(i) {
			out.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}
