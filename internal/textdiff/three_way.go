package textdiff

import "strings"

// Merge makes the change from base to theirs on ours as well, by lines, as a three-way
// merge does. It is not clean if ours has changed a line that theirs changes, or one
// right beside it: what was meant there is not for a program to say. Then merged is ours.
func Merge(base, ours, theirs []byte) (merged []byte, clean bool) {
	var out strings.Builder
	for _, h := range Merge3(string(base), string(ours), string(theirs)) {
		if h.Conflict {
			return ours, false
		}
		out.WriteString(h.Ours)
	}
	return []byte(out.String()), true
}

// Hunk is a part of a merged text. Without a conflict both sides are the same.
type Hunk struct {
	Conflict     bool
	Ours, Theirs string
}

// Settled returns a hunk without a conflict.
func Settled(text string) Hunk { return Hunk{Ours: text, Theirs: text} }

// Merge3 merges the changes of two sides by lines, as git does: changes of the same lines, or of
// lines side by side, are a conflict unless they are the same. What both sides of a conflict
// begin or end with is settled.
func Merge3(base, ours, theirs string) (hunks []Hunk) {
	lines := splitLines(base)
	our, their := changes(base, ours), changes(base, theirs)
	at := 0
	for len(our)+len(their) > 0 {
		r := region{start: start(our, their)}
		r.end = r.start
		for r.take(&our, &r.ours) || r.take(&their, &r.theirs) {
		}
		hunks = append(hunks, Settled(strings.Join(lines[at:r.start], "")))
		a, b := r.text(lines, r.ours), r.text(lines, r.theirs)
		switch {
		case len(r.theirs) == 0 || a == b:
			hunks = append(hunks, Settled(a))
		case len(r.ours) == 0:
			hunks = append(hunks, Settled(b))
		default:
			hunks = append(hunks, conflict(a, b)...)
		}
		at = r.end
	}
	return append(hunks, Settled(strings.Join(lines[at:], "")))
}

// start is the line of the first change of either side.
func start(our, their []change) int {
	if len(our) == 0 || len(their) > 0 && their[0].start < our[0].start {
		return their[0].start
	}
	return our[0].start
}

// region is a range of lines whose changes touch each other.
type region struct {
	start, end   int
	ours, theirs []change
}

// take moves the next change to those of the region, if it touches it.
func (r *region) take(from, to *[]change) bool {
	if len(*from) == 0 || (*from)[0].start > r.end {
		return false
	}
	r.end = max(r.end, (*from)[0].end)
	*to, *from = append(*to, (*from)[0]), (*from)[1:]
	return true
}

// text returns the lines of the region with some changes made.
func (r *region) text(lines []string, changes []change) string {
	var out strings.Builder
	at := r.start
	for _, c := range changes {
		out.WriteString(strings.Join(lines[at:c.start], ""))
		out.WriteString(c.text)
		at = c.end
	}
	out.WriteString(strings.Join(lines[at:r.end], ""))
	return out.String()
}

// conflict returns a conflict, with what both texts begin and end with beside it.
func conflict(ours, theirs string) []Hunk {
	a, b := splitLines(ours), splitLines(theirs)
	front, back := 0, 0
	for front < min(len(a), len(b)) && a[front] == b[front] {
		front++
	}
	for back < min(len(a), len(b))-front && a[len(a)-1-back] == b[len(b)-1-back] {
		back++
	}
	return []Hunk{
		Settled(strings.Join(a[:front], "")),
		{true, strings.Join(a[front:len(a)-back], ""), strings.Join(b[front:len(b)-back], "")},
		Settled(strings.Join(a[len(a)-back:], "")),
	}
}

// change replaces the lines of a text from start to end, which are numbered from 0.
type change struct {
	start, end int
	text       string
}

// changes lists what turns one text into another, in order; no two touch each other.
func changes(before, after string) []change {
	var all []change
	line := 0
	open := false
	for _, o := range script(before, after) {
		if o.sign == ' ' {
			open = false
			line++
			continue
		}
		if !open {
			all = append(all, change{start: line, end: line})
			open = true
		}
		last := &all[len(all)-1]
		if o.sign == '-' {
			line++
			last.end = line
		} else {
			last.text += o.text
		}
	}
	return all
}
