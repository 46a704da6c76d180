// Package merge merges three versions of a text, by lines or by pieces: an index by entries, a
// decision file by headings. It also finds the conflicts that git leaves in a text.
//
// A merge by pieces takes what one side changed, and keeps what both added, ours first. Anything else
// it leaves to git. The package is pure.
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
// pieces were moved or have the same key, ok is false, and git's merge by lines decides, except for what
// it would misplace.
func Pieces(base, ours, theirs []byte, cut Cut) (merged []byte, ok bool) {
	var sides [3]side
	for i, src := range [][]byte{base, ours, theirs} {
		if sides[i], ok = newSide(cut(src)); !ok {
			return nil, false
		}
	}
	b, o, t := sides[0], sides[1], sides[2]
	if !o.findAdded(b) || !t.findAdded(b) {
		return nil, false
	}
	var all []Piece
	taken := map[string]bool{}
	ourLast, theirLast := "", "" // the last pieces of the base that the sides have
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
			if o.has(after) {
				ourLast = after
			}
			if t.has(after) {
				theirLast = after
			}
			if !o.has(after) && !t.has(after) && (bothReplaced(o.added[ourLast], t.added[theirLast]) || o.adds(p.Text) != t.adds(p.Text)) {
				return nil, false // renamed by both, or moved by one and removed by the other
			}
		}
		first, second := o.added[after], t.added[after]
		if !canFollow(second, first) {
			first, second = second, first
		}
		if !canFollow(second, first) {
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
	return merged, slices.EqualFunc(read, all, isSame) && hasAllLines(b, o, t, all)
}

// bothReplaced reports whether both sides added something, and not the same, where they removed a piece.
func bothReplaced(ours, theirs []Piece) bool {
	isSame := func(p, q Piece) bool { return p.Key == q.Key && p.Text == q.Text }
	return len(ours) > 0 && len(theirs) > 0 && !slices.EqualFunc(ours, theirs, isSame)
}

// canFollow reports whether no piece would belong to one of those before it.
func canFollow(pieces, before []Piece) bool {
	if len(before) == 0 || len(pieces) == 0 {
		return true
	}
	lowest := slices.MinFunc(before, func(a, b Piece) int { return a.Level - b.Level }).Level
	return pieces[0].Level <= lowest
}

// hasAllLines reports whether the merged pieces of the base have each line as often as the changes of both
// sides make it: two pieces may have become one, or one two. Added pieces do not count, since both sides
// may add the same line, such as the end of a comment.
func hasAllLines(b, o, t side, merged []Piece) bool {
	base, ours, theirs, kept := b.countLines(b.pieces), b.countLines(o.pieces), b.countLines(t.pieces), b.countLines(merged)
	for _, lines := range []map[string]int{base, ours, theirs, kept} {
		for line := range lines {
			want := ours[line] + theirs[line] - base[line]
			if ours[line] == theirs[line] {
				want = ours[line]
			}
			if kept[line] != want {
				return false
			}
		}
	}
	return true
}

// countLines counts the lines, except blank ones, of those pieces that this version has, too.
func (s side) countLines(pieces []Piece) map[string]int {
	count := map[string]int{}
	for _, p := range pieces {
		if !s.has(p.Key) {
			continue
		}
		for line := range strings.Lines(p.Text) {
			if line = strings.TrimSpace(line); line != "" {
				count[line]++
			}
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

// adds reports whether an added piece has a text.
func (s side) adds(text string) bool {
	return slices.ContainsFunc(s.pieces, func(p Piece) bool {
		_, isNew := s.after[p.Key]
		return isNew && p.Text == text
	})
}

// findAdded fills added and after by comparing with the base. It is false if pieces that both have are in
// another order.
func (s side) findAdded(base side) bool {
	last, before := -1, ""
	for _, p := range s.pieces {
		at, known := base.at[p.Key]
		if !known {
			s.added[before] = append(s.added[before], p)
			s.after[p.Key] = before
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
	if !o.has(b.Key) {
		return b, false, !t.has(b.Key) || t.text(b.Key) == b.Text
	}
	if !t.has(b.Key) {
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

// join writes pieces one after another. One that was the first of its text gets a line break before
// it, as the model has them.
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
