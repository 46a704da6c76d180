package merge

import (
	"strings"

	"whence/internal/text"
)

// fences follows the code fences of a text from line to line.
type fences struct {
	src   []byte
	lines []line
	// lost is set behind a conflict: a side of it may begin or end a fence, so that nothing
	// below counts as fenced.
	lost bool

	end        int            // line behind the fence that is open
	commentEnd int            // line behind the comment that is open: no fence begins in it
	noComment  bool           // no comment ends below some line
	shortest   map[string]int // by its character, the shortest run that nothing below closes
}

// at returns the line behind the fence that encloses a line or begins there; it is not above
// the line otherwise. Lines are asked about in order.
func (f *fences) at(i int) (end int) {
	switch content := f.content(i); {
	case f.lost:
		return 0
	case i < f.end || i < f.commentEnd:
	case strings.HasPrefix(content, "<!--"):
		f.openComment(i)
	default:
		if mark, run, opens := text.FenceOpen(content); opens {
			f.open(i, mark, run)
		}
	}
	return f.end
}

// content is a line without the indentation that a block of Markdown may have.
func (f *fences) content(i int) string {
	content := string(f.src[f.lines[i].Start:f.lines[i].End])
	if trimmed := strings.TrimLeft(content, " "); len(content)-len(trimmed) <= 3 {
		return trimmed
	}
	return ""
}

// open takes the line that begins a fence. One that is never closed encloses nothing.
func (f *fences) open(i int, mark string, run int) {
	if least := f.shortest[mark]; least > 0 && run >= least {
		return
	}
	for j := i + 1; j < len(f.lines); j++ {
		closing := strings.TrimRight(f.content(j), " \t")
		if len(closing) >= run && strings.Trim(closing, mark) == "" {
			f.end = j + 1
			return
		}
	}
	f.shortest[mark] = run
}

// openComment takes the line that begins a comment. A conflict in a comment is not an example.
func (f *fences) openComment(i int) {
	for j := i; j < len(f.lines) && !f.noComment; j++ {
		if strings.Contains(string(f.src[f.lines[j].Start:f.lines[j].End]), "-->") {
			f.commentEnd = j + 1
			return
		}
	}
	f.noComment = true
}
