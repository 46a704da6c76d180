package merge

import (
	"bytes"
	"strings"

	"whence/internal/text"
)

// minMarker is the number of characters of a marker; the attribute conflict-marker-size, and
// merges of merges, make longer ones.
const minMarker = 7

// Span is a half-open range of byte offsets into the text.
type Span struct{ Start, End int }

// Side is one version of the lines of a conflict.
type Side struct {
	Label string // git's name for it, as in "HEAD"; may be empty
	Span
	First, Last int // 1-based lines; a side without lines has First > Last
}

// Conflict is a conflict of an unfinished merge, from its first marker to its last.
type Conflict struct {
	Span
	First, Last  int // 1-based lines of the markers
	Ours, Theirs Side
	Base         Side
	HasBase      bool
	// Whole reports whether each marker is there once, so that the sides are known. Otherwise
	// some were deleted, or a line of the text looks like one; then there is no Base.
	Whole bool

	markers []Span
}

// line is one line of a text.
type line struct {
	Span        // without the line end
	next int    // offset of the line that follows
	mark byte   // '<', '|', '=' or '>' if the line has the form of a marker
	size int    // of the marker
	name string // behind the marker
}

// FindConflicts returns the conflicts that git has left in a text, in order. It accepts any input.
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
// inside a code fence that begins before it and ends after it is an example, and is left out.
func FindConflicts(src []byte) (found []Conflict) {
	if !bytes.Contains(src, []byte("<<<<<<<")) && !bytes.Contains(src, []byte(">>>>>>>")) {
		return nil
	}
	lines := split(src)
	blocks := text.NewBlocks(len(lines), func(i int) string { return string(src[lines[i].Start:lines[i].End]) })
	blockEnd, fenceEnd := 0, 0 // the lines after the last block, and the last code fence
	divider := -1              // the last "=======" outside of a conflict
	for i := 0; i < len(lines); {
		if found == nil && i >= blockEnd { // a side of a conflict may begin or end a fence
			end, fence := blocks.End(i)
			if blockEnd = end; fence {
				fenceEnd = end
			}
		}
		end, marked := conflictEnd(lines, i)
		marked = marked && !quoted(src, lines, i)
		whole := marked && lines[end-1].mark == '>' && end > i+1
		switch {
		case marked && (end <= fenceEnd || i < fenceEnd && !whole): // an example
			i = min(end, fenceEnd)
		case marked:
			start := i
			if lines[i].mark == '>' && divider >= 0 {
				start = divider
			}
			found = append(found, newConflict(lines, start, end))
			i, divider, fenceEnd = end, -1, 0
		default:
			if lines[i].mark == '=' && lines[i].size == minMarker && i >= fenceEnd {
				divider = i
			}
			i++
		}
	}
	return found
}

// split returns the lines of a text.
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

// readMark records whether a line has the form of a marker.
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

// conflictEnd returns the line after the conflict that begins at a line, if one does. A marker with
// a name whose others are missing is one too, with the divider that goes with it.
func conflictEnd(lines []line, i int) (end int, found bool) {
	first := lines[i]
	named := first.size == minMarker && first.name != ""
	if first.mark != '<' {
		return i + 1, first.mark == '>' && named
	}
	divided := 0 // the line after the divider
	for j := i + 1; j < len(lines); j++ {
		switch l := lines[j]; {
		case l.mark == 0 || l.size != first.size:
		case l.mark == '<':
			return max(divided, i+1), named
		case l.mark == '=' && divided == 0:
			divided = j + 1
		case l.mark == '>' && divided > 0:
			return j + 1, true
		}
	}
	return max(divided, i+1), named
}

// quoted reports whether a marker that ends a conflict is a line of a quote within quotes, next to
// another such line.
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

// newConflict reads the sides of the conflict from line start to end.
func newConflict(lines []line, start, end int) Conflict {
	first, last := lines[start], lines[end-1]
	c := Conflict{Span: Span{first.Start, last.next}, First: start + 1, Last: end}
	var bases, dividers []int
	misplaced := false
	for j := start; j < end; j++ {
		l := lines[j]
		if l.mark == 0 || l.size != first.size {
			continue
		}
		c.markers = append(c.markers, l.Span)
		switch {
		case l.mark == '=':
			dividers = append(dividers, j)
		case l.mark == '|':
			bases = append(bases, j)
			misplaced = misplaced || dividers != nil
		}
	}
	side := func(from, to int) Side { // the lines between two markers
		s := Side{Label: lines[from].name, First: from + 2, Last: to}
		s.Span = Span{lines[from].next, lines[from].next}
		if to > from+1 {
			s.End = lines[to-1].next
		}
		return s
	}
	if first.mark == '<' && last.mark == '>' && len(dividers) == 1 && len(bases) <= 1 && !misplaced {
		c.Whole = true
		oursEnd := dividers[0]
		if c.HasBase = bases != nil; c.HasBase {
			oursEnd = bases[0]
			c.Base = side(oursEnd, dividers[0])
		}
		c.Ours, c.Theirs = side(start, oursEnd), side(dividers[0], end-1)
		c.Theirs.Label = last.name
		return c
	}
	if first.mark == '<' {
		c.Ours.Label = first.name
	}
	if last.mark == '>' {
		c.Theirs.Label = last.name
	}
	return c
}
