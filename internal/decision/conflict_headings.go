package decision

import (
	"bytes"

	"whence/internal/merge"
)

// parseConflicted reads a file whose merge is not finished. A section is disputed unless it is the
// same whichever side is taken.
func parseConflicted(path string, src []byte, conflicts []merge.Conflict) *File {
	f := parse(path, merge.MaskConflicts(src, conflicts, merge.BothSides))
	ours := parse(path, merge.MaskConflicts(src, conflicts, merge.OurSide))
	theirs := parse(path, merge.MaskConflicts(src, conflicts, merge.TheirSide))
	f.Source, f.Conflicts = src, conflicts // the masks have the same lines
	ourAt, theirAt := headingsByOffset(ours), headingsByOffset(theirs)
	for i := range f.Headings {
		h := &f.Headings[i]
		our, hasOurs := ourAt[h.Start]
		their, hasTheirs := theirAt[h.Start]
		h.Disputed = !hasOurs || !hasTheirs || !f.settle(h, ours.Body(our), theirs.Body(their))
	}
	return f
}

func headingsByOffset(f *File) map[int]int {
	at := make(map[int]int, len(f.Headings))
	for i, h := range f.Headings {
		at[h.Start] = i
	}
	return at
}

// settle reports whether the section of a heading is the same on both sides. If so, settle ends it
// before the conflict that follows.
func (f *File) settle(h *Heading, ours, theirs []byte) bool {
	if touched, broken := merge.ConflictTouching(f.Conflicts, merge.Span{Start: h.Start, End: h.End}); broken && !touched.Whole {
		return false
	}
	ours, theirs = bytes.TrimRight(ours, " \t\r\n"), bytes.TrimRight(theirs, " \t\r\n")
	end := h.Body + len(ours)
	if end > h.End {
		return false
	}
	if _, touched := merge.ConflictTouching(f.Conflicts, merge.Span{Start: h.Start, End: end}); touched || !bytes.Equal(ours, theirs) {
		return false
	}
	if _, touched := merge.ConflictTouching(f.Conflicts, merge.Span{Start: end, End: h.End}); touched {
		h.End = end
	}
	return true
}
