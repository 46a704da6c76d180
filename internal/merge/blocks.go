package merge

import "strings"

// Blocks finds code fences and HTML comments in the lines of a Markdown text. Unlike CommonMark,
// it ignores those that are never closed: a stray fence must not hide everything below it.
type Blocks struct {
	line      func(i int) string // without its line end
	lines     int
	noComment bool           // nothing below some line ends a comment
	noFence   map[string]int // character → length of a fence that nothing below some line closes
}

// NewBlocks returns the blocks of a text with a number of lines.
func NewBlocks(lines int, line func(i int) string) *Blocks {
	return &Blocks{line: line, lines: lines, noFence: map[string]int{}}
}

// End returns the line after the block that begins at line i, or i if none does, and whether the
// block is a code fence. Lines must be passed in order.
func (b *Blocks) End(i int) (end int, fence bool) {
	opening := b.unindented(i)
	if strings.HasPrefix(opening, "<!--") {
		return b.commentEnd(i), false
	}
	if char, run, ok := fenceOpen(opening); ok {
		return b.fenceEnd(i, char, run), true
	}
	return i, false
}

// unindented returns a line without the indentation that a block may have, or "" for a line that
// is indented further.
func (b *Blocks) unindented(i int) string {
	line := b.line(i)
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 {
		return ""
	}
	return trimmed
}

func (b *Blocks) commentEnd(i int) int {
	for j := i; j < b.lines && !b.noComment; j++ {
		if strings.Contains(b.line(j), "-->") {
			return j + 1
		}
	}
	b.noComment = true
	return i
}

func (b *Blocks) fenceEnd(i int, char string, run int) int {
	if unclosed := b.noFence[char]; unclosed > 0 && run >= unclosed {
		return i
	}
	for j := i + 1; j < b.lines; j++ {
		closing := strings.TrimRight(b.unindented(j), " \t")
		if len(closing) >= run && strings.Trim(closing, char) == "" {
			return j + 1
		}
	}
	b.noFence[char] = run
	return i
}

// fenceOpen reports whether a line without its indentation opens a code fence, and returns the fence's character and
// length.
func fenceOpen(line string) (char string, run int, ok bool) {
	for _, char := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, char)
		run := len(line) - len(rest)
		if run >= 3 && !(char == "`" && strings.Contains(rest, "`")) {
			return char, run, true
		}
	}
	return "", 0, false
}
