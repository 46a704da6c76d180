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

// PrintableLines returns a text of several lines for a terminal: as Printable does, except that
// tabs and line ends stay.
func PrintableLines(text string) string {
	return replaceUnseen(text, func(i int, r rune) string {
		if r == '\n' || r == '\t' || strings.HasPrefix(text[i:], "\r\n") {
			return string(r)
		}
		return escaped(r)
	})
}

// Shown returns text of others, of several lines, as it is written to w: for an agent inert, else as
// PrintableLines returns it.
func Shown(w io.Writer, text string) string {
	if Exact(w) != w {
		return Text(text)
	}
	return PrintableLines(text)
}

func escaped(r rune) string { return strings.Trim(strconv.QuoteRuneToASCII(r), "'") }

// maxQuotedChars is how much of a name or value is repeated in a message.
const maxQuotedChars = 40

// Quoted returns the beginning of a name or value in quotes, with escapes for invisible characters:
// as much as shows which one is meant. A message must not say what a file wants to be said.
func Quoted(value string) string {
	if beginning := words.FirstChars(value, maxQuotedChars); beginning != value {
		value = beginning + "…"
	}
	return Printable(strconv.Quote(value))
}
