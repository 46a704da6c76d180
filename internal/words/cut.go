package words

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// The functions of this file shorten texts without cutting a character, and preferably without cutting a word. They
// are in this package because all others may import it.

// FirstChars returns the first maxChars characters of a text.
func FirstChars(s string, maxChars int) string {
	if len(s) <= maxChars {
		return s
	}
	for i := range s {
		if maxChars--; maxChars < 0 {
			return s[:i]
		}
	}
	return s
}

// Beginning returns the whole characters in the first maxBytes bytes of a text.
func Beginning(s string, maxBytes int) string {
	if len(s) <= maxBytes {
		return s
	}
	for maxBytes > 0 && !utf8.RuneStart(s[maxBytes]) {
		maxBytes--
	}
	return s[:maxBytes]
}

// Shorten cuts a text of more than maxBytes bytes, after a word if possible, and ends it with "…". The result has at
// most maxBytes bytes.
func Shorten(s string, maxBytes int) string {
	const mark = "…"
	if len(s) <= maxBytes {
		return s
	}
	s = Beginning(s, maxBytes-len(mark))
	if space := strings.LastIndexAny(s, " \t\n"); space > len(s)/2 {
		s = s[:space]
	}
	return strings.TrimRight(s, " \t\n,;:") + mark
}

// Clip returns the beginning of a text of more than maxChars characters, with " …" behind it: whole paragraphs if
// possible, else whole lines or words.
func Clip(text string, maxChars int) string {
	if utf8.RuneCountInString(text) <= maxChars {
		return text
	}
	text = string([]rune(text)[:maxChars-2])
	for _, end := range []string{"\n\n", "\n", " "} {
		if at := strings.LastIndex(text, end); at > len(text)/3 {
			return strings.TrimSpace(text[:at]) + " …"
		}
	}
	return text + " …"
}

// Ends returns the first and the last characters of a text, since outputs say there what happened.
func Ends(s string, firstChars, lastChars int) string {
	first, end := len(FirstChars(s, firstChars)), len(s)
	for ; lastChars > 0 && end > first; lastChars-- {
		_, size := utf8.DecodeLastRuneInString(s[:end])
		end -= size
	}
	if end <= first {
		return s
	}
	return s[:first] + "\n…\n" + s[end:]
}

// Wrap breaks a text between words into lines of at most maxChars characters; a longer word has a
// line to itself. It returns one empty line for an empty text.
func Wrap(text string, maxChars int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > maxChars:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// LineEnd returns the line end that most lines of a text have: "\n" or "\r\n".
func LineEnd(src []byte) string {
	if crlf := bytes.Count(src, []byte("\r\n")); 2*crlf > bytes.Count(src, []byte("\n")) {
		return "\r\n"
	}
	return "\n"
}
