package notes

import (
	"path/filepath"
	"strings"
	"unicode/utf8"

	"whence/internal/learning"
	"whence/internal/redact"
	"whence/internal/worktree"
)

// redacted is a text of an agent or a user as it may be written down: without secrets, and
// without what a terminal would take for a command. It looks at far more than is written, up
// to the end of a line: a secret that is cut would not be known for one.
func redacted(text string) string {
	if len(text) > maxSourceBytes {
		text = beginning(text, maxSourceBytes)
		if at := strings.LastIndexByte(text, '\n'); at > 0 {
			text = text[:at]
		}
	}
	text, _ = redact.Text(learning.Clean(text))
	return text
}

// oneLine is a text on one line that cannot be taken for anything but words, of so many
// bytes at most.
func oneLine(text string, maxBytes int) string {
	text = strings.Join(strings.Fields(learning.Clean(text)), " ")
	return cut(strings.ReplaceAll(learning.Inert(text), "\n", " "), maxBytes)
}

// beginning is that of a text, with whole characters.
func beginning(text string, maxBytes int) string {
	if len(text) <= maxBytes {
		return text
	}
	for maxBytes > 0 && !utf8.RuneStart(text[maxBytes]) {
		maxBytes--
	}
	return text[:maxBytes]
}

// cut is a text, shortened behind a word if it is too long.
func cut(text string, maxBytes int) string {
	if len(text) <= maxBytes {
		return text
	}
	text = beginning(text, maxBytes-len("…"))
	if at := strings.LastIndexByte(text, ' '); at > maxBytes/2 {
		text = text[:at]
	}
	return strings.TrimRight(text, " ") + "…"
}

// code is a text between backticks.
func code(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }

// inProject is a path as it is known in the project, with slashes.
func (v *eventRun) inProject(name string) (path string, is bool) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(v.Cwd, name)
	}
	path, is = worktree.Name(v.root, name)
	return path, is && path != "."
}
