package decision

import (
	"bytes"
	"sort"
)

// Markdown is any Markdown text: a decision file, or another one that is not read for its headings.
type Markdown struct {
	Source  []byte
	TooDeep int // the first line whose lists or quotes are nested too deeply to be read, or 0

	lineStarts []int
	blocks     []Block // none if the text is nested too deeply
}

// NewMarkdown returns a text as Markdown. It accepts any input.
func NewMarkdown(src []byte) Markdown {
	m := unread(src)
	m.readBlocks()
	return m
}

// unread returns a text without its blocks.
func unread(src []byte) Markdown {
	m := Markdown{Source: src, lineStarts: make([]int, 0, bytes.Count(src, []byte{'\n'})+1)}
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

// Blocks returns the blocks of a text, in order.
func (m *Markdown) Blocks() []Block { return m.blocks }

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
