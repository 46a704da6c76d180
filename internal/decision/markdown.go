package decision

import (
	"bytes"
	"sort"
)

// Markdown is any Markdown text: a decision file, or another one that is not read for its headings.
type Markdown struct {
	Source []byte

	lineStarts []int
}

// NewMarkdown returns a text as Markdown. It accepts any input.
func NewMarkdown(src []byte) Markdown {
	m := Markdown{src, make([]int, 0, bytes.Count(src, []byte{'\n'})+1)}
	at := 0
	for line := range bytes.Lines(src) {
		m.lineStarts = append(m.lineStarts, at)
		at += len(line)
	}
	if at == 0 || src[at-1] == '\n' {
		m.lineStarts = append(m.lineStarts, at)
	}
	return m
}

// LineAt returns the 1-based number of the line at an offset.
func (m *Markdown) LineAt(offset int) int { return sort.SearchInts(m.lineStarts, offset+1) }

// Line returns a line by its 1-based number, without its "\n"; "" if there is none.
func (m *Markdown) Line(number int) string {
	if number > len(m.lineStarts) {
		return ""
	}
	line, _, _ := bytes.Cut(m.Source[m.lineStarts[number-1]:], []byte("\n"))
	return string(line)
}

func (m *Markdown) lineStart(offset int) int { return m.lineStarts[m.LineAt(offset)-1] }

// nextLine returns where the line after the one at an offset starts.
func (m *Markdown) nextLine(offset int) int {
	if i := bytes.IndexByte(m.Source[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(m.Source)
}
