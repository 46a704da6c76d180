package index

import (
	"strings"

	"whence/internal/text"
)

// blocks finds the extent of code fences and HTML comments. Unlike CommonMark,
// one that is never closed covers nothing: a stray fence must not hide all the
// entries below it.
type blocks struct {
	file        *File
	noComment   bool           // no "-->" was found below some line
	noFenceOver map[string]int // fence run → no closing run at least this long was found
}

// end returns the index after the last line of the block that begins at line i,
// or i if none does.
func (b *blocks) end(i int) int {
	line := b.file.Text(b.file.Lines[i])
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 {
		return i
	}
	if strings.HasPrefix(trimmed, "<!--") {
		return b.commentEnd(i, trimmed)
	}
	if char, run, ok := text.FenceOpen(trimmed); ok {
		return b.fenceEnd(i, char, run)
	}
	return i
}

func (b *blocks) commentEnd(i int, opening string) int {
	if b.noComment {
		return i
	}
	// "<!-->" and "<!--->" are whole comments
	if strings.Contains(opening[len("<!"):], "-->") || strings.HasPrefix(opening, "<!--->") {
		return i + 1
	}
	for j := i + 1; j < len(b.file.Lines); j++ {
		if strings.Contains(b.file.Text(b.file.Lines[j]), "-->") {
			return j + 1
		}
	}
	b.noComment = true
	return i
}

func (b *blocks) fenceEnd(i int, char string, run int) int {
	if least, known := b.noFenceOver[char]; known && run >= least {
		return i
	}
	for j := i + 1; j < len(b.file.Lines); j++ {
		text := strings.Trim(b.file.Text(b.file.Lines[j]), " \t")
		if len(text) >= run && strings.Trim(text, char) == "" {
			return j + 1
		}
	}
	if b.noFenceOver == nil {
		b.noFenceOver = map[string]int{}
	}
	b.noFenceOver[char] = run
	return i
}
