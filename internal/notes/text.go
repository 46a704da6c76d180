package notes

import (
	"strings"

	"whence/internal/redact"
	"whence/internal/text"
)

// maxSourceBytes is the length of the part of a prompt or an error that is read.
const maxSourceBytes = 64 << 10

// redacted removes secrets and control characters from a text. It reads whole lines, and far more
// than is written, as half a secret is not recognized.
func redacted(s string) string {
	if len(s) > maxSourceBytes {
		s = text.Beginning(s, maxSourceBytes)
		if at := strings.LastIndexByte(s, '\n'); at > 0 {
			s = s[:at]
		}
	}
	s, _ = redact.Text(text.Clean(s))
	return s
}

// oneLine returns a text on one inert line of at most maxBytes.
func oneLine(s string, maxBytes int) string {
	s = strings.Join(strings.Fields(text.Clean(s)), " ")
	return text.Shorten(strings.ReplaceAll(text.InertParagraphs(s), "\n", " "), maxBytes)
}

// plainLine returns a text on one line for a log, which is not Markdown.
func plainLine(s string, maxBytes int) string {
	return text.Shorten(strings.Join(strings.Fields(s), " "), maxBytes)
}

// code returns a text between backticks.
func code(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }
