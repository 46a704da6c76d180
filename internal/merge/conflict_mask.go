package merge

import (
	"bytes"
	"sort"
)

// View selects which sides of a conflict are seen.
type View int

// The views of a text.
const (
	BothSides View = iota // without markers and base
	OurSide
	TheirSide
)

// MaskConflicts returns a text as seen in a view: the lines of conflicts that do not belong to it
// are replaced by spaces, so that all offsets and line numbers stay. Of a conflict that is not
// whole, only the markers are masked.
func MaskConflicts(src []byte, conflicts []Conflict, v View) []byte {
	masked := bytes.Clone(src)
	cover := func(s Span) {
		for i := s.Start; i < s.End; i++ {
			if masked[i] != '\n' && masked[i] != '\r' {
				masked[i] = ' '
			}
		}
	}
	for _, c := range conflicts {
		for _, mark := range c.markers {
			cover(mark)
		}
		cover(c.Base.Span)
		if v == OurSide {
			cover(c.Theirs.Span)
		}
		if v == TheirSide {
			cover(c.Ours.Span)
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
