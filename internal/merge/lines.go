package merge

import (
	"slices"
	"strings"

	"whence/internal/textdiff"
)

// CleanLines merges the changes of two sides by lines, as git does. If both changed the same lines, or
// adjacent ones, in different ways, clean is false and merged is ours.
func CleanLines(base, ours, theirs []byte) (merged []byte, clean bool) {
	lines := slices.Collect(strings.Lines(string(base)))
	ourChanges, theirChanges := textdiff.Changes(string(base), string(ours)), textdiff.Changes(string(base), string(theirs))
	var out strings.Builder
	at := 0
	for len(ourChanges)+len(theirChanges) > 0 {
		r := region{start: firstStart(ourChanges, theirChanges)}
		r.end = r.start
		for r.take(&ourChanges, &r.ours) || r.take(&theirChanges, &r.theirs) {
		}
		a, b := r.changed(lines, r.ours), r.changed(lines, r.theirs)
		if len(r.ours) > 0 && len(r.theirs) > 0 && !slices.Equal(a, b) {
			return ours, false
		}
		if len(r.ours) == 0 {
			a = b
		}
		out.WriteString(strings.Join(lines[at:r.start], "") + strings.Join(a, ""))
		at = r.end
	}
	out.WriteString(strings.Join(lines[at:], ""))
	return []byte(out.String()), true
}

// firstStart returns where the first change of either side starts.
func firstStart(ours, theirs []textdiff.Change) int {
	if len(ours) == 0 || len(theirs) > 0 && theirs[0].Start < ours[0].Start {
		return theirs[0].Start
	}
	return ours[0].Start
}

// region is a range of lines whose changes touch each other.
type region struct {
	start, end   int
	ours, theirs []textdiff.Change
}

// take moves the next change to those of the region, if it touches it.
func (r *region) take(from, to *[]textdiff.Change) bool {
	if len(*from) == 0 || (*from)[0].Start > r.end {
		return false
	}
	r.end = max(r.end, (*from)[0].End)
	*to, *from = append(*to, (*from)[0]), (*from)[1:]
	return true
}

// changed returns the lines of the region after some changes.
func (r *region) changed(lines []string, changes []textdiff.Change) (after []string) {
	at := r.start
	for _, c := range changes {
		after = append(append(after, lines[at:c.Start]...), c.New...)
		at = c.End
	}
	return append(after, lines[at:r.end]...)
}
