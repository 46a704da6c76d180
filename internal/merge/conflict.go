package merge

import (
	"bytes"
	"cmp"
	"fmt"
	"sort"
	"strings"
)

// minMarker is the number of characters of a marker; the attribute conflict-marker-size, and
// merges of merges, make longer ones.
const minMarker = 7

// Span is a half-open range of byte offsets into the text.
type Span struct{ Start, End int }

// Conflict is a conflict of an unfinished merge, from its first marker to its last.
type Conflict struct {
	Span
	First, Last int // 1-based lines of the markers
}

// String describes a conflict, as in "lines 9 to 15".
func (c Conflict) String() string {
	if c.First == c.Last {
		return fmt.Sprintf("line %d", c.First)
	}
	return fmt.Sprintf("lines %d to %d", c.First, c.Last)
}

// ConflictError reports that something cannot be used before a conflict is resolved.
type ConflictError struct {
	What  string // "section \"Y\"", or "" for the whole file
	Path  string
	Block Conflict
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s:%d: %s has a merge conflict in %s; resolve it and delete the markers first", e.Path, e.Block.First, cmp.Or(e.What, "this file"), e.Block)
}

// line is one line of a text.
type line struct {
	Span        // without the line end
	next int    // offset of the line that follows
	mark byte   // '<', '=' or '>' if the line has the form of a marker
	size int    // of the marker
	name string // after the marker
}

// FindConflicts returns the conflicts that git has left in a text, in order. It accepts any input.
//
//	<<<<<<< ours
//	lines of one side
//	=======
//	lines of the other side
//	>>>>>>> theirs
//
// A marker has seven characters or more, all markers of a conflict the same number. A marker with a
// name whose others were deleted is a conflict too. One inside a code fence that begins before it and
// ends after it is an example, and is left out.
func FindConflicts(src []byte) (found []Conflict) {
	if !bytes.Contains(src, []byte("<<<<<<<")) && !bytes.Contains(src, []byte(">>>>>>>")) {
		return nil
	}
	lines := split(src)
	blocks := NewBlocks(len(lines), func(i int) string { return string(src[lines[i].Start:lines[i].End]) })
	blockEnd, fenceEnd := 0, 0 // the lines after the last block, and the last code fence
	for i := 0; i < len(lines); {
		if found == nil && i >= blockEnd { // a side of a conflict may begin or end a fence
			end, fence := blocks.End(i)
			if blockEnd = end; fence {
				fenceEnd = end
			}
		}
		end, marked := conflictEnd(lines, i)
		if !marked {
			i++
			continue
		}
		isWhole := lines[end-1].mark == '>' && end > i+1
		if end <= fenceEnd || i < fenceEnd && !isWhole { // an example
			i = min(end, fenceEnd)
			continue
		}
		found = append(found, Conflict{Span{lines[i].Start, lines[end-1].next}, i + 1, end})
		i, fenceEnd = end, 0
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
	if len(content) < minMarker || bytes.IndexByte([]byte("<=>"), content[0]) < 0 {
		return
	}
	name := bytes.TrimLeft(content, string(content[:1]))
	size := len(content) - len(name)
	if size >= minMarker && (len(name) == 0 || name[0] == ' ' && content[0] != '=') {
		l.mark, l.size, l.name = content[0], size, strings.TrimSpace(string(name))
	}
}

// conflictEnd returns the line after the conflict that begins at a line, if one does. A marker with a name is a
// conflict even without the others, up to its divider.
func conflictEnd(lines []line, i int) (end int, found bool) {
	first := lines[i]
	named := first.size == minMarker && first.name != ""
	if first.mark != '<' {
		return i + 1, first.mark == '>' && named
	}
	divided := 0 // the line after the divider
	for j := i + 1; j < len(lines); j++ {
		mark := lines[j].mark
		if lines[j].size != first.size {
			continue
		}
		if mark == '<' {
			break
		}
		if mark == '=' && divided == 0 {
			divided = j + 1
		}
		if mark == '>' && divided > 0 {
			return j + 1, true
		}
	}
	return max(divided, i+1), named
}

// MaskConflicts returns a text in which the lines of conflicts are blank, with the same offsets.
func MaskConflicts(src []byte, conflicts []Conflict) []byte {
	masked := bytes.Clone(src)
	for _, c := range conflicts {
		for i := c.Start; i < c.End; i++ {
			if masked[i] != '\n' && masked[i] != '\r' {
				masked[i] = ' '
			}
		}
	}
	return masked
}

// ConflictTouching returns the first conflict that shares a byte with a span. The conflicts must be
// in order.
func ConflictTouching(conflicts []Conflict, s Span) (Conflict, bool) {
	i := sort.Search(len(conflicts), func(i int) bool { return s.Start < conflicts[i].End })
	if i < len(conflicts) && conflicts[i].Start < s.End {
		return conflicts[i], true
	}
	return Conflict{}, false
}
