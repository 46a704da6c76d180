package merge

import (
	"bytes"
	"sort"
)

// View says what of a conflict is seen.
type View int

// The views of a text.
const (
	BothSides View = iota // no markers and no base
	OurSide
	TheirSide
)

// MaskConflicts returns a text as one sees it in a view: the lines of conflicts that do not belong to
// it are spaces, so that all offsets and line numbers stay. Of a block that is not whole only
// the markers are masked.
func MaskConflicts(src []byte, blocks []Conflict, v View) []byte {
	masked := bytes.Clone(src)
	cover := func(s Span) {
		for i := s.Start; i < s.End; i++ {
			if masked[i] != '\n' && masked[i] != '\r' {
				masked[i] = ' '
			}
		}
	}
	for _, b := range blocks {
		for _, mark := range b.marks {
			cover(mark)
		}
		cover(b.Base.Span)
		if v == OurSide {
			cover(b.Theirs.Span)
		}
		if v == TheirSide {
			cover(b.Ours.Span)
		}
	}
	return masked
}

// ConflictTouching returns the first block that shares a byte with a span. The blocks are in order, as
// Find lists them.
func ConflictTouching(blocks []Conflict, s Span) (Conflict, bool) {
	i := sort.Search(len(blocks), func(i int) bool { return s.Start < blocks[i].End })
	if i < len(blocks) && blocks[i].Start < s.End {
		return blocks[i], true
	}
	return Conflict{}, false
}
