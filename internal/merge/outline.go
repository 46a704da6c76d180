package merge

import (
	"slices"
	"strings"
)

// Piece is a part of a text. Its own lines come before those of its children.
type Piece struct {
	Parent int      // index of the piece that holds it, or -1
	Kind   int      // from 1
	Gap    string   // blank lines before it
	Text   string   // its lines without blank ones at the end
	Keys   []string // for the use of Format.Pair
}

// Format says how texts of one format are cut into pieces and merged.
type Format struct {
	// Cut returns the pieces of a text in order, or ok false if it can only be merged by lines.
	Cut func(text string) (pieces []Piece, ok bool)
	// Pair pairs the pieces that are the same in two versions.
	Pair func(m *Match)
	// Content merges the texts of a piece that both sides have and that differ. Base is nil if
	// both have added it.
	Content func(base, ours, theirs *Piece) []Hunk
	// Gap returns the blank lines between pieces of two kinds if no version has such a pair. The
	// kind is 0 at the start of the text and negative at its end.
	Gap func(before, after int) string
	// Loose lists the kinds of pieces that the merged text need not have as separate pieces.
	Loose []int
}

// mergePieces merges three texts piece by piece. It returns ok false if pieces would be nowhere,
// or in two places with others below them, or if the result would be cut into other pieces.
func mergePieces(base, ours, theirs string, format *Format) (hunks []Hunk, ok bool) {
	m := &outlines{Format: format, kept: map[int]*kept{}}
	texts := [3]string{our: ours, their: theirs, old: base}
	var pieces [3][]Piece
	for i, text := range texts {
		if pieces[i], ok = format.Cut(text); !ok {
			return nil, false
		}
	}
	ids := number(pieces[old], pieces[our], pieces[their], format.Pair)
	for i, text := range texts {
		m.versions[i] = newVersion(text, pieces[i], ids[i])
	}
	m.keep()
	if !m.revive() || !m.emit(0) || !m.readsBack(false) || !m.readsBack(true) {
		return nil, false
	}
	for _, p := range m.parts {
		hunks = append(append(hunks, Settled(p.gap)), p.hunks...)
	}
	return append(hunks, Settled(m.gap(endID, endID))), true
}

// The versions, by index.
const (
	our = iota
	their
	old
)

// endID is the number and the kind of the end of a text.
const endID = -1

// version is one of the three texts. Its pieces go by their numbers, see number.
type version struct {
	ids      []int // in the order of the text
	pieces   map[int]*Piece
	parents  map[int]int // 0 for a piece that no other one holds
	children map[int][]int
	previous map[int]int // the piece before a piece, in the order of the text
	next     map[int]int
}

func newVersion(text string, pieces []Piece, ids []int) version {
	v := version{ids, map[int]*Piece{}, map[int]int{}, map[int][]int{}, map[int]int{}, map[int]int{}}
	length, before := 0, 0
	for i, id := range ids {
		p := &pieces[i]
		parent := 0
		if p.Parent >= 0 {
			parent = ids[p.Parent]
		}
		v.pieces[id], v.parents[id] = p, parent
		v.children[parent] = append(v.children[parent], id)
		v.previous[id], v.next[before] = before, id
		before = id
		length += len(p.Gap) + len(p.Text)
	}
	v.pieces[endID] = &Piece{Kind: endID, Gap: text[length:]}
	v.previous[endID], v.next[before] = before, endID
	return v
}

// kept is a piece of the result.
type kept struct {
	ours, theirs, base *Piece
	in                 [2]int // its parent, on both sides: -1 if it is not there
}

// part is a piece of the merged text, with the blank lines before it.
type part struct {
	kind  int
	gap   string
	hunks []Hunk
}

// outlines is one merge.
type outlines struct {
	*Format
	versions [3]version
	kept     map[int]*kept
	parts    []part
	last     int // number of the piece that was written last
}

func (m *outlines) newKept(id int) *kept {
	return &kept{m.versions[our].pieces[id], m.versions[their].pieces[id], m.versions[old].pieces[id], [2]int{-1, -1}}
}

// piece returns the piece as one of the sides has it.
func (k *kept) piece() *Piece {
	if k.ours != nil {
		return k.ours
	}
	return k.theirs
}

// side returns which sides have the piece.
func (k *kept) side() side {
	switch {
	case k.theirs == nil:
		return onlyOurs
	case k.ours == nil:
		return onlyTheirs
	}
	return both
}

// keep decides which pieces stay, and below which others.
func (m *outlines) keep() {
	for _, v := range m.versions[:old] {
		for _, id := range v.ids {
			if m.kept[id] == nil {
				m.decide(id)
			}
		}
	}
}

func (m *outlines) decide(id int) {
	k := m.newKept(id)
	ours, theirs, base := m.versions[our].parents[id], m.versions[their].parents[id], m.versions[old].parents[id]
	removable := k.base != nil && k.base.Text == k.piece().Text // by the other side
	switch k.side() {
	case both:
		k.in = [2]int{ours, theirs}
		if k.base != nil && ours == base {
			k.in[our] = theirs
		} else if k.base != nil && theirs == base {
			k.in[their] = ours
		}
	case onlyOurs:
		if removable && ours == base {
			return
		}
		k.in[our] = ours
	case onlyTheirs:
		if removable && theirs == base {
			return
		}
		k.in[their] = theirs
	}
	m.kept[id] = k
}

// revive keeps what one side has removed and the other one still needs to hold other pieces.
// It returns false if a piece is below itself.
func (m *outlines) revive() bool {
	for _, v := range m.versions[:old] {
		for _, id := range v.ids {
			if m.kept[id] == nil {
				continue
			}
			for _, parent := range m.kept[id].in {
				for steps := 0; parent > 0; steps++ {
					k := m.kept[parent]
					if k == nil {
						k = m.newKept(parent)
						m.kept[parent] = k
						if k.ours != nil {
							k.in[our] = m.versions[our].parents[parent]
						} else {
							k.in[their] = m.versions[their].parents[parent]
						}
					}
					if steps > len(m.kept) {
						return false
					}
					parent = max(k.in[our], k.in[their])
				}
			}
		}
	}
	return true
}

// emit writes what is below a piece.
func (m *outlines) emit(parent int) bool {
	split := map[int]bool{}
	var lists [3][]int
	for i, v := range m.versions {
		for _, id := range v.children[parent] {
			k := m.kept[id]
			switch {
			case i == old:
			case k == nil || k.in[i] != parent:
				continue
			case k.side() == both && k.in[1-i] != parent:
				split[id] = true
			}
			lists[i] = append(lists[i], id)
		}
	}
	for _, p := range order(lists[old], lists[our], lists[their], m.weight, split) {
		if p.side != both && len(m.versions[our].children[p.id])+len(m.versions[their].children[p.id]) > 0 {
			return false
		}
		m.write(p)
		if !m.emit(p.id) {
			return false
		}
	}
	return true
}

// weight is the number of pieces of a piece before any change: large ones are not moved around
// small ones.
func (m *outlines) weight(id int) int {
	n := 1
	for _, child := range m.versions[old].children[id] {
		n += m.weight(child)
	}
	return n
}

// write adds a piece to the result.
func (m *outlines) write(p placed) {
	k := m.kept[p.id]
	kind := k.piece().Kind
	part := part{kind: kind, gap: m.gap(p.id, kind)}
	side := k.side()
	switch {
	case side != both && k.base == nil:
		part.hunks = []Hunk{Settled(k.piece().Text)}
	case side == onlyOurs || p.side == onlyOurs:
		part.conflict(k.ours.Text, "")
	case side == onlyTheirs || p.side == onlyTheirs:
		part.conflict("", k.theirs.Text)
	case k.ours.Text == k.theirs.Text || k.base != nil && k.base.Text == k.theirs.Text:
		part.hunks = []Hunk{Settled(k.ours.Text)}
	case k.base != nil && k.base.Text == k.ours.Text:
		part.hunks = []Hunk{Settled(k.theirs.Text)}
	default:
		part.hunks = m.Content(k.base, k.ours, k.theirs)
	}
	m.parts = append(m.parts, part)
	m.last = p.id
}

// conflict makes the part one that only one side has. The blank lines before it belong to it.
func (p *part) conflict(ours, theirs string) {
	if ours != "" {
		ours = p.gap + ours
	} else {
		theirs = p.gap + theirs
	}
	p.gap, p.hunks = "", []Hunk{{true, ours, theirs}}
}

// gap returns the blank lines between the piece that was written last and the next one, of some
// kind: those of the versions in which the two are neighbours, or else those beside one of them
// before or after a piece of the same kind.
func (m *outlines) gap(id, kind int) string {
	var found [3]*string
	for i, v := range m.versions {
		if p := v.pieces[id]; p != nil && v.previous[id] == m.last {
			found[i] = &p.Gap
		}
	}
	switch {
	case found[our] != nil && found[their] != nil && found[old] != nil:
		return Value(*found[old], *found[our], *found[their])
	case found[our] != nil:
		return *found[our]
	case found[their] != nil:
		return *found[their]
	}
	last := 0
	if n := len(m.parts); n > 0 {
		last = m.parts[n-1].kind
	}
	for _, v := range m.versions {
		if p := v.pieces[id]; p != nil && v.kindOf(v.previous[id]) == last {
			return p.Gap
		}
		if next, has := v.next[m.last]; has && v.kindOf(next) == kind {
			return v.pieces[next].Gap
		}
	}
	return m.Gap(last, kind)
}

func (v version) kindOf(id int) int {
	if p := v.pieces[id]; p != nil {
		return p.Kind
	}
	return 0
}

// readsBack reports whether the text of one side is cut into the pieces that it was made of.
func (m *outlines) readsBack(theirs bool) bool {
	var text strings.Builder
	var want, got []string
	add := func(list []string, kind int, text string) []string {
		if text = strings.TrimSpace(text); text == "" || slices.Contains(m.Loose, kind) {
			return list
		}
		return append(list, text)
	}
	for _, p := range m.parts {
		content := resolve(p.hunks, theirs)
		text.WriteString(p.gap + content)
		want = add(want, p.kind, content)
	}
	pieces, _ := m.Cut(text.String())
	for _, p := range pieces {
		got = add(got, p.Kind, p.Text)
	}
	return slices.Equal(want, got)
}
