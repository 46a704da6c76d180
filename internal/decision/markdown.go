package decision

import (
	"bytes"
	"sort"
)

// Markdown is any Markdown text: a decision file, or another one that is read for what it
// says, not for its headings.
type Markdown struct {
	Source []byte

	lineStarts []int
}

// NewMarkdown notes where the lines of a text begin. It accepts any input.
func NewMarkdown(src []byte) Markdown { return Markdown{src, lineStarts(src)} }

// LineAt is the 1-based number of the line that holds an offset.
func (m *Markdown) LineAt(offset int) int {
	return sort.SearchInts(m.lineStarts, offset+1)
}

func (m *Markdown) lineStart(offset int) int { return m.lineStarts[m.LineAt(offset)-1] }

// nextLine is the offset at which the line after the one that holds an offset
// starts.
func (m *Markdown) nextLine(offset int) int {
	if i := bytes.IndexByte(m.Source[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(m.Source)
}

// contentStart is the offset of the first byte that is Markdown: behind a
// byte-order mark and behind front matter ("---" to "---" or "..."). Front
// matter that is never closed is none.
func contentStart(src []byte) int {
	base := 0
	if bytes.HasPrefix(src, []byte("\uFEFF")) {
		base = len("\uFEFF")
	}
	rest := src[base:]
	first, rest, found := bytes.Cut(rest, []byte("\n"))
	if !found || string(bytes.TrimRight(first, "\r")) != "---" {
		return base
	}
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		switch string(bytes.TrimRight(line, "\r \t")) {
		case "---", "...":
			return len(src) - len(rest)
		}
	}
	return base
}

func lineStarts(src []byte) []int {
	starts := make([]int, 1, bytes.Count(src, []byte{'\n'})+1)
	for at := 0; ; {
		i := bytes.IndexByte(src[at:], '\n')
		if i < 0 {
			return starts
		}
		at += i + 1
		starts = append(starts, at)
	}
}
