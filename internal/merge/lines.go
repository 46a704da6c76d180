package merge

import (
	"slices"
	"strings"

	"whence/internal/textdiff"
)

// Hunk is a part of a merged text. Without a conflict both sides are the same.
type Hunk struct {
	Conflict     bool
	Ours, Theirs string
}

// Settled returns a hunk without a conflict.
func Settled(text string) Hunk { return Hunk{Ours: text, Theirs: text} }

// CleanLines merges three texts by lines. If there is a conflict, merged is ours.
func CleanLines(base, ours, theirs []byte) (merged []byte, clean bool) {
	hunks := Lines(string(base), string(ours), string(theirs))
	if slices.ContainsFunc(hunks, func(h Hunk) bool { return h.Conflict }) {
		return ours, false
	}
	return []byte(resolve(hunks, false)), true
}

// resolve returns the text of hunks with all conflicts decided for one side.
func resolve(hunks []Hunk, theirs bool) string {
	var out strings.Builder
	for _, h := range hunks {
		if theirs {
			out.WriteString(h.Theirs)
		} else {
			out.WriteString(h.Ours)
		}
	}
	return out.String()
}

// Lines merges the changes of two sides by lines, as git does: changes of the same lines, or of
// adjacent lines, are a conflict unless they are the same. Lines with which both sides of a
// conflict begin or end are settled.
func Lines(base, ours, theirs string) (hunks []Hunk) {
	lines := slices.Collect(strings.Lines(base))
	ourChanges, theirChanges := textdiff.Changes(base, ours), textdiff.Changes(base, theirs)
	at := 0
	for len(ourChanges)+len(theirChanges) > 0 {
		r := region{start: firstStart(ourChanges, theirChanges)}
		r.end = r.start
		for r.take(&ourChanges, &r.ours) || r.take(&theirChanges, &r.theirs) {
		}
		hunks = append(hunks, Settled(strings.Join(lines[at:r.start], "")))
		a, b := r.changed(lines, r.ours), r.changed(lines, r.theirs)
		switch {
		case len(r.theirs) == 0 || slices.Equal(a, b):
			hunks = append(hunks, Settled(strings.Join(a, "")))
		case len(r.ours) == 0:
			hunks = append(hunks, Settled(strings.Join(b, "")))
		default:
			hunks = append(hunks, conflict(a, b)...)
		}
		at = r.end
	}
	return append(hunks, Settled(strings.Join(lines[at:], "")))
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

// conflict returns a conflict between two lists of lines, and what both begin and end with.
func conflict(ours, theirs []string) []Hunk {
	front, back := 0, 0
	shorter := min(len(ours), len(theirs))
	for front < shorter && ours[front] == theirs[front] {
		front++
	}
	for back < shorter-front && ours[len(ours)-1-back] == theirs[len(theirs)-1-back] {
		back++
	}
	return []Hunk{
		Settled(strings.Join(ours[:front], "")),
		{true, strings.Join(ours[front:len(ours)-back], ""), strings.Join(theirs[front:len(theirs)-back], "")},
		Settled(strings.Join(ours[len(ours)-back:], "")),
	}
}
