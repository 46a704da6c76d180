package merge

import (
	"slices"
	"strings"
)

// place is a line and the key of a heading whose section it is in, or "" if it is in none.
type place struct{ heading, line string }

// Misplaced returns a line of a merge that is under a heading where neither side has it, and the key of that heading.
// The line is "" if there is none.
func Misplaced(merged, ours, theirs []byte, read ReadFunc) (heading, line string) {
	known := map[place]bool{}
	for _, src := range [][]byte{ours, theirs} {
		for _, at := range places(src, read) {
			known[at] = true
		}
	}
	for _, at := range places(merged, read) {
		if !known[at] {
			return at.heading, at.line
		}
	}
	return "", ""
}

// places returns the places of all lines that are not blank, one for each heading whose section the line is in. The
// section of the title of the file ends at the next heading.
func places(src []byte, read ReadFunc) (all []place) {
	headings := slices.DeleteFunc(read(src), func(p Piece) bool { return p.Level == EntryLevel })
	var open []Piece
	add := func(start, end int) {
		for line := range strings.Lines(string(src[start:end])) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if len(open) == 0 {
				all = append(all, place{"", line})
			}
			for _, h := range open {
				all = append(all, place{h.Key, line})
			}
		}
	}
	at := 0
	for i, h := range headings {
		add(at, h.Start)
		if i == 1 && headings[0].Level == 1 {
			open = nil
		}
		for len(open) > 0 && open[len(open)-1].Level >= h.Level {
			open = open[:len(open)-1]
		}
		add(h.Start, h.End)
		open, at = append(open, h), h.End
	}
	add(at, len(src))
	return all
}

// Returned returns the title of a heading or entry of a merge, outside of its conflicts, that the base has and one side
// has removed; "" if there is none. The other side may have moved it, or git may have taken it for a new one.
func Returned(merged, base, ours, theirs []byte, read ReadFunc) string {
	keys := func(src []byte) map[string]bool {
		all := map[string]bool{}
		for _, p := range read(src) {
			all[p.Key] = true
		}
		return all
	}
	before, our, their := keys(base), keys(ours), keys(theirs)
	for _, p := range read(MaskConflicts(merged, FindConflicts(merged))) {
		isSection := p.IsIndex && p.Level < EntryLevel
		if !isSection && before[p.Key] && (!our[p.Key] || !their[p.Key]) {
			return p.Title
		}
	}
	return ""
}
