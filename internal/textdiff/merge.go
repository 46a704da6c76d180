package textdiff

import "strings"

// Merge makes the change from base to theirs on ours as well, by lines, as a three-way
// merge does. It is not clean if ours has changed a line that theirs changes, or one
// right beside it: what was meant there is not for a program to say. Then merged is ours.
func Merge(base, ours, theirs []byte) (merged []byte, clean bool) {
	our, their := changes(string(base), string(ours)), changes(string(base), string(theirs))
	lines := splitLines(string(base))
	var out strings.Builder
	at := 0
	copyTo := func(line int) {
		for ; at < line; at++ {
			out.WriteString(lines[at])
		}
	}
	for len(our)+len(their) > 0 {
		var next change
		switch {
		case len(their) == 0 || len(our) > 0 && our[0].end < their[0].start:
			next, our = our[0], our[1:]
		case len(our) == 0 || their[0].end < our[0].start:
			next, their = their[0], their[1:]
		case our[0] == their[0]: // both have made the same change
			next, our, their = our[0], our[1:], their[1:]
		default:
			return ours, false
		}
		copyTo(next.start)
		out.WriteString(next.text)
		at = next.end
	}
	copyTo(len(lines))
	return []byte(out.String()), true
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
