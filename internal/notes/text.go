package notes

import (
	"path/filepath"
	"strings"

	"whence/internal/redact"
	"whence/internal/text"
	"whence/internal/worktree"
)

// redacted removes secrets and control characters from a text. It reads whole lines, and far more
// than is written, as half a secret is not recognized.
func redacted(s string) string {
	if len(s) > maxSourceBytes {
		s = beginning(s, maxSourceBytes)
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
	return shorten(strings.ReplaceAll(text.InertParagraphs(s), "\n", " "), maxBytes)
}

// beginning returns the first maxBytes of a text, in whole characters.
func beginning(text string, maxBytes int) string {
	return strings.ToValidUTF8(text[:min(len(text), maxBytes)], "")
}

// shorten cuts a long text to maxBytes, after a word.
func shorten(text string, maxBytes int) string {
	if len(text) <= maxBytes {
		return text
	}
	text = beginning(text, maxBytes-len("…"))
	if at := strings.LastIndexByte(text, ' '); at > maxBytes/2 {
		text = text[:at]
	}
	return strings.TrimRight(text, " ") + "…"
}

// code returns a text between backticks.
func code(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }

// inProject returns the slash-separated path of a file from the root of the project.
func (v *eventRun) inProject(name string) (path string, is bool) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(v.Cwd, name)
	}
	path, is = worktree.Name(v.root, name)
	return path, is && path != "."
}
