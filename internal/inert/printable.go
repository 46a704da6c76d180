package inert

import (
	"io"
	"strconv"
	"strings"

	"whence/internal/words"
)

// Printable returns a text on one line for a terminal, with escapes for invisible characters.
func Printable(line string) string {
	return replaceUnseen(line, func(_ int, r rune) string { return escaped(r) })
}

// PrintableLines is Printable for a text of several lines: it keeps tabs and line ends.
func PrintableLines(text string) string {
	return replaceUnseen(text, func(i int, r rune) string {
		if r == '\n' || r == '\t' || strings.HasPrefix(text[i:], "\r\n") {
			return string(r)
		}
		return escaped(r)
	})
}

// Shown returns a foreign text, of several lines, in the form in which it may be written to w: inert for an
// agent, otherwise as from PrintableLines.
func Shown(w io.Writer, text string) string {
	if Exact(w) != w {
		return Text(text)
	}
	return PrintableLines(text)
}

func escaped(r rune) string { return strings.Trim(strconv.QuoteRuneToASCII(r), "'") }

// maxQuotedChars is the number of characters of a name or value that a message repeats.
const maxQuotedChars = 40

// Quoted returns a name or value in quotes, with escapes for invisible characters. Of a long one it returns only
// the beginning, enough to recognize it, so that no file can dictate the text of a message.
func Quoted(value string) string {
	if beginning := words.FirstChars(value, maxQuotedChars); beginning != value {
		value = beginning + "…"
	}
	return Printable(strconv.Quote(value))
}
