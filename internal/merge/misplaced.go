package merge

import (
	"slices"
	"strings"
)

// place is a line with the key of the piece that it belongs to: a heading is of the one above it.
type place struct{ key, line string }

// Misplaced returns a line of a clean merge by lines that is under a heading under which neither side
// has it, and that heading. Both are "" if there is none.
func Misplaced(merged, ours, theirs []byte, cut Cut) (heading, line string) {
	known := map[place]bool{}
	for _, src := range [][]byte{ours, theirs} {
		pieces, _ := cut(src)
		for _, at := range places(pieces) {
			known[at] = true
			at.key = at.key[strings.LastIndexByte(at.key, '\n')+1:] // if its title is there once in the merge
			known[at] = true
		}
	}
	pieces, _ := cut(merged)
	for _, at := range places(pieces) {
		if !known[at] {
			i := slices.IndexFunc(pieces, func(p Piece) bool { return p.Key == at.key })
			heading, _, _ := strings.Cut(pieces[i].Text, "\n")
			return strings.TrimSpace(heading), at.line
		}
	}
	return "", ""
}

// places returns the places of all lines that are not blank. A heading directly below the title of the file
// has none.
func places(pieces []Piece) (all []place) {
	for i, p := range pieces {
		above := i - 1
		for above >= 0 && pieces[above].Level >= p.Level {
			above--
		}
		key := ""
		if above >= 0 && pieces[above].Level > 1 {
			key = pieces[above].Key
		}
		for line := range strings.Lines(p.Text) {
			line = strings.TrimSpace(line)
			if key != "" && line != "" {
				all = append(all, place{key, line})
			}
			key = p.Key
		}
	}
	return all
}

// contested replaces a piece that both sides have changed or removed.
const contested = "(both sides have changed or removed this)"

// Contest returns a base with which a merge by lines has a conflict where both sides have changed or removed
// a piece. If there is no such piece it is empty, which makes each difference a conflict.
func Contest(base, ours, theirs []byte, cut Cut) []byte {
	kept, _ := cut(ours)
	inTheirs, _ := cut(theirs)
	kept = append(kept, inTheirs...)
	pieces, tail := cut(base)
	found := false
	for i, p := range pieces {
		if slices.ContainsFunc(kept, func(q Piece) bool { return p.Text == q.Text }) {
			continue
		}
		found = true
		pieces[i].Gap, pieces[i].Text = "", contested
		if i+1 < len(pieces) {
			pieces[i+1].Gap = "" // a blank line would end the conflict within the piece
		}
	}
	if !found {
		return []byte{}
	}
	return join(pieces, tail, base)
}
