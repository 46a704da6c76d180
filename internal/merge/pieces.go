package merge

import (
	"slices"
	"strings"

	"whence/internal/text"
)

// Piece is a part of a text: an entry, or a heading with its text up to the next heading.
type Piece struct {
	Key   string // identifies it among the pieces of its text
	Level int    // a piece belongs to the last one before it with a lower level
	Gap   string // the white space before it
	Text  string // without the line end that follows
}

// Cut returns the pieces of a text, and the white space behind the last one. Together they are the
// text.
type Cut func(src []byte) (pieces []Piece, tail string)

// Pieces merges the changes of two sides. A piece that one side changed, added or removed is taken from
// that side; of additions after the same piece, ours come first, unless theirs would then belong to them,
// and equal ones are kept once. If both sides changed a piece, one changed what the other removed, or
// pieces were moved or have the same key, ok is false, and git's merge by lines decides.
func Pieces(base, ours, theirs []byte, cut Cut) (merged []byte, ok bool) {
	var sides [3]side
	for i, src := range [][]byte{base, ours, theirs} {
		if sides[i], ok = newSide(cut(src)); !ok {
			return nil, false
		}
	}
	b, o, t := sides[0], sides[1], sides[2]
	if !b.hasOrderOf(o) || !b.hasOrderOf(t) {
		return nil, false
	}
	var all []Piece
	taken := map[string]bool{}
	for i := -1; i < len(b.pieces); i++ {
		after := "" // the piece after which additions are sought
		if i >= 0 {
			after = b.pieces[i].Key
			p, keep, ok := decide(b.pieces[i], o, t)
			if !ok {
				return nil, false
			}
			if keep {
				all = append(all, p)
			} else if o.has(after) && len(o.added[after]) > 0 || t.has(after) && len(t.added[after]) > 0 {
				return nil, false // what they were put after is gone
			}
		}
		first, second := o.added[after], t.added[after]
		if !isApart(first, second) {
			first, second = second, first
		}
		if !isApart(first, second) {
			return nil, false
		}
		for _, p := range slices.Concat(first, second) {
			if !taken[p.Key] {
				taken[p.Key] = true
				all = append(all, p)
			} else if o.text(p.Key) != t.text(p.Key) || o.after[p.Key] != t.after[p.Key] {
				return nil, false
			}
		}
	}
	merged = join(all, value(b.tail, o.tail, t.tail), ours)
	read, _ := cut(merged)
	isSame := func(p, q Piece) bool { return p.Level == q.Level && p.Text == q.Text }
	return merged, slices.EqualFunc(read, all, isSame) && hasAllLines(base, ours, theirs, merged)
}

// isApart reports whether no piece of the second group would belong to one of the first.
func isApart(first, second []Piece) bool {
	if len(first) == 0 || len(second) == 0 {
		return true
	}
	lowest := slices.MinFunc(first, func(a, b Piece) int { return a.Level - b.Level }).Level
	return second[0].Level <= lowest
}

// hasAllLines reports whether a text has each line as often as the changes of both sides make it: two
// pieces may have become one, or one two.
func hasAllLines(base, ours, theirs, merged []byte) bool {
	b, o, t, m := countLines(base), countLines(ours), countLines(theirs), countLines(merged)
	for _, lines := range []map[string]int{b, o, t, m} {
		for line := range lines {
			want := o[line] + t[line] - b[line]
			if o[line] == t[line] {
				want = o[line]
			}
			if m[line] != want {
				return false
			}
		}
	}
	return true
}

// countLines counts the lines of a text that are not blank.
func countLines(src []byte) map[string]int {
	count := map[string]int{}
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimSpace(line); line != "" {
			count[line]++
		}
	}
	return count
}

// side is one version of the text.
type side struct {
	pieces []Piece
	tail   string
	at     map[string]int
	added  map[string][]Piece // those that the base lacks, by the key of the one of the base before them
	after  map[string]string  // of an added piece: that key
}

// newSide returns a version; ok is false if two pieces have the same key.
func newSide(pieces []Piece, tail string) (s side, ok bool) {
	s = side{pieces: pieces, tail: tail, at: map[string]int{}, added: map[string][]Piece{}, after: map[string]string{}}
	for i, p := range pieces {
		if _, twice := s.at[p.Key]; twice || p.Key == "" {
			return s, false
		}
		s.at[p.Key] = i
	}
	return s, true
}

func (s side) has(key string) bool { _, has := s.at[key]; return has }

func (s side) text(key string) string { return s.pieces[s.at[key]].Text }

// hasOrderOf reports whether another version has the pieces that both have in the same order, and finds
// what that version has added.
func (s side) hasOrderOf(other side) bool {
	last, before := -1, ""
	for _, p := range other.pieces {
		at, known := s.at[p.Key]
		if !known {
			other.added[before] = append(other.added[before], p)
			other.after[p.Key] = before
			continue
		}
		if at < last {
			return false
		}
		last, before = at, p.Key
	}
	return true
}

// decide returns what becomes of a piece of the base; ok is false if both sides decided otherwise.
func decide(b Piece, o, t side) (p Piece, keep, ok bool) {
	switch {
	case !o.has(b.Key) && !t.has(b.Key):
		return b, false, true
	case !o.has(b.Key):
		return b, false, t.text(b.Key) == b.Text
	case !t.has(b.Key):
		return b, false, o.text(b.Key) == b.Text
	}
	our, their := o.pieces[o.at[b.Key]], t.pieces[t.at[b.Key]]
	p = Piece{Key: b.Key, Level: b.Level, Gap: value(b.Gap, our.Gap, their.Gap), Text: value(b.Text, our.Text, their.Text)}
	return p, true, our.Text == b.Text || their.Text == b.Text || our.Text == their.Text
}

// value returns theirs if ours is unchanged, else ours.
func value(base, ours, theirs string) string {
	if ours == base {
		return theirs
	}
	return ours
}

// join writes pieces one after another. One that was the first of its text is set apart by a line end,
// as the model has it.
func join(pieces []Piece, tail string, model []byte) []byte {
	lineEnd := text.LineEnd(model)
	var out strings.Builder
	for i, p := range pieces {
		if i > 0 && p.Gap == "" {
			p.Gap = lineEnd
		}
		out.WriteString(p.Gap + p.Text)
	}
	return []byte(out.String() + tail)
}
