package merge

import (
	"bytes"
	"strings"
)

// minMarker is the number of characters of a marker; the attribute conflict-marker-size, and
// merges of merges, make longer ones.
const minMarker = 7

// Span is a half-open range of byte offsets into the text.
type Span struct{ Start, End int }

// Side is one version of the lines of a block.
type Side struct {
	Label string // what git calls it, as in "HEAD"; may be empty
	Span
	First, Last int // 1-based lines; a side without lines has First > Last
}

// Conflict is a conflict, from its first marker to its last.
type Conflict struct {
	Span
	First, Last  int // 1-based lines of the markers
	Ours, Theirs Side
	Base         Side
	HasBase      bool
	// Whole reports whether each marker is there once, so that the sides are known. Otherwise
	// some were deleted, or a line of the text looks like one; then there is no Base.
	Whole bool

	marks []Span // the lines of the markers
}

// line is one line of a text.
type line struct {
	Span        // without the line end
	next int    // offset of the line that follows
	mark byte   // '<', '|', '=' or '>' if the line has the form of a marker
	size int    // of the marker
	name string // behind the marker
}

// FindConflicts lists the conflicts that git has left in a text, in order. It accepts any input.
//
//	<<<<<<< ours
//	lines of one side
//	||||||| base, only in the styles diff3 and zdiff3
//	lines before either change
//	=======
//	lines of the other side
//	>>>>>>> theirs
//
// A marker has seven characters or more, all markers of a conflict the same number. A conflict
// inside a code fence is an example, if the fence begins before it and ends behind it.
func FindConflicts(src []byte) []Conflict {
	if !bytes.Contains(src, []byte("<<<<<<<")) && !bytes.Contains(src, []byte(">>>>>>>")) {
		return nil
	}
	lines := split(src)
	fences := fences{src: src, lines: lines, shortest: map[string]int{}}
	var blocks []Conflict
	divider := -1 // the last "=======" outside of a block
	for i := 0; i < len(lines); {
		end, found := blockEnd(lines, i)
		found = found && !quoted(src, lines, i)
		whole := found && lines[end-1].mark == '>' && end > i+1
		switch fenceEnd := fences.at(i); {
		case found && (end <= fenceEnd || i < fenceEnd && !whole): // an example
			i = min(end, fenceEnd)
		case found:
			start := i
			if lines[i].mark == '>' && divider >= 0 {
				start = divider
			}
			blocks = append(blocks, newBlock(lines, start, end))
			fences.lost = true
			i, divider = end, -1
		default:
			if lines[i].mark == '=' && lines[i].size == minMarker && i >= fenceEnd {
				divider = i
			}
			i++
		}
	}
	return blocks
}

// split reads the lines of a text.
func split(src []byte) []line {
	lines := make([]line, 0, bytes.Count(src, []byte{'\n'})+1)
	for at := 0; at < len(src); {
		l := line{Span{at, len(src)}, len(src), 0, 0, ""}
		if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
			l.End, l.next = at+i, at+i+1
		}
		if l.End > l.Start && src[l.End-1] == '\r' {
			l.End--
		}
		l.readMark(src)
		lines = append(lines, l)
		at = l.next
	}
	return lines
}

// readMark notes whether a line has the form of a marker.
func (l *line) readMark(src []byte) {
	content := src[l.Start:l.End]
	if len(content) < minMarker || bytes.IndexByte([]byte("<|=>"), content[0]) < 0 {
		return
	}
	name := bytes.TrimLeft(content, string(content[:1]))
	size := len(content) - len(name)
	if size >= minMarker && (len(name) == 0 || name[0] == ' ' && content[0] != '=') {
		l.mark, l.size, l.name = content[0], size, strings.TrimSpace(string(name))
	}
}

// blockEnd returns the line behind the block that begins at a line, if one does. A marker with
// a name whose others are missing is one too, with the divider that goes with it.
func blockEnd(lines []line, i int) (end int, found bool) {
	first := lines[i]
	named := first.size == minMarker && first.name != ""
	if first.mark != '<' {
		return i + 1, first.mark == '>' && named
	}
	half := 0
	for j := i + 1; j < len(lines); j++ {
		switch l := lines[j]; {
		case l.mark == 0 || l.size != first.size:
		case l.mark == '<':
			return max(half, i+1), named
		case l.mark == '=' && half == 0:
			half = j + 1
		case l.mark == '>' && half > 0:
			return j + 1, true
		}
	}
	return max(half, i+1), named
}

// quoted reports whether a marker that ends a block is a line of a quote within quotes, of which
// there is another line beside it.
func quoted(src []byte, lines []line, i int) bool {
	if lines[i].mark != '>' {
		return false
	}
	for _, j := range []int{i - 1, i + 1} {
		if j >= 0 && j < len(lines) && bytes.HasPrefix(src[lines[j].Start:], []byte(">>")) {
			return true
		}
	}
	return false
}

// newBlock reads the sides of the block between two lines.
func newBlock(lines []line, start, end int) Conflict {
	first, last := lines[start], lines[end-1]
	b := Conflict{Span: Span{first.Start, last.next}, First: start + 1, Last: end}
	size := first.size
	base, dividers := -1, []int(nil)
	bases := 0
	for j := start; j < end; j++ {
		l := lines[j]
		if l.mark == 0 || l.size != size {
			continue
		}
		b.marks = append(b.marks, l.Span)
		switch {
		case l.mark == '=':
			dividers = append(dividers, j)
		case l.mark == '|' && len(dividers) == 0:
			base, bases = j, bases+1
		case l.mark == '|':
			bases = 2
		}
	}
	side := func(from, to int, label string) Side { // the lines between two markers
		s := Side{Label: label, First: from + 2, Last: to}
		s.Span = Span{lines[from].next, lines[from].next}
		if to > from+1 {
			s.End = lines[to-1].next
		}
		return s
	}
	if first.mark == '<' && last.mark == '>' && len(dividers) == 1 && bases <= 1 {
		b.Whole = true
		b.Ours, b.Theirs = side(start, dividers[0], first.name), side(dividers[0], end-1, last.name)
		if b.HasBase = base >= 0; b.HasBase {
			b.Ours, b.Base = side(start, base, first.name), side(base, dividers[0], lines[base].name)
		}
		return b
	}
	if first.mark == '<' {
		b.Ours.Label = first.name
	}
	if last.mark == '>' {
		b.Theirs.Label = last.name
	}
	return b
}
