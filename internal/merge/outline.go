package merge

import (
	"strings"

	"whence/internal/textdiff"
)

// Outline is a text cut into pieces, in the order of the text.
type Outline struct {
	Pieces []Piece
	Tail   string // blank lines at the end
}

// Piece is a part of a text. Its own lines come before those of its children.
type Piece struct {
	ID     int    // from 1; equal in all versions for what is the same piece
	Parent int    // ID of the piece that holds it, or 0
	Kind   int    // pieces of one kind are set apart in the same way
	Gap    string // blank lines before it
	Text   string // its lines without blank ones at the end
}

// Rules say how pieces of a format are merged.
type Rules struct {
	// Content merges the texts of a piece that both sides have and that differ. Base is nil if
	// both have added it.
	Content func(base, ours, theirs *Piece) []textdiff.Hunk
	// Gap returns the blank lines between pieces of two kinds if no version has such a pair.
	Gap func(before, after int) string
}

// Part is a piece of a merged text, with the blank lines before it.
type Part struct {
	Kind  int
	Gap   string
	Hunks []textdiff.Hunk
}

// Hunks are the parts as one text.
func Hunks(parts []Part) (all []textdiff.Hunk) {
	for _, p := range parts {
		all = append(all, textdiff.Settled(p.Gap))
		all = append(all, p.Hunks...)
	}
	return all
}

// Resolve is the text of hunks with all conflicts decided for one side.
func Resolve(hunks []textdiff.Hunk, theirs bool) string {
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

// Outlines merges three outlines. It returns false where pieces would be in no place, or in
// two with others below them.
func Outlines(base, ours, theirs Outline, rules Rules) ([]Part, bool) {
	m := &outlines{Rules: rules, versions: [3]version{newVersion(ours), newVersion(theirs), newVersion(base)}, kept: map[int]*kept{}}
	m.keep()
	if !m.revive() {
		return nil, false
	}
	if !m.emit(0) {
		return nil, false
	}
	tail := Part{Gap: m.gap(endID, nil)}
	return append(m.parts, tail), true
}

// The versions, by index.
const (
	our = iota
	their
	old
)

// endID is the number of the end of a text.
const endID = -1

// version is one of the three outlines.
type version struct {
	Outline
	pieces   map[int]*Piece
	children map[int][]int
	previous map[int]int // ID of the piece before a piece, in the order of the text
	next     map[int]int
}

func newVersion(o Outline) version {
	v := version{o, map[int]*Piece{}, map[int][]int{}, map[int]int{}, map[int]int{}}
	before := 0
	for i := range o.Pieces {
		p := &o.Pieces[i]
		v.pieces[p.ID] = p
		v.children[p.Parent] = append(v.children[p.Parent], p.ID)
		v.previous[p.ID], v.next[before] = before, p.ID
		before = p.ID
	}
	v.pieces[endID] = &Piece{ID: endID, Kind: endID, Gap: o.Tail}
	v.previous[endID], v.next[before] = before, endID
	return v
}

// kept is a piece of the result.
type kept struct {
	ours, theirs, base *Piece
	in                 [2]int // its parent, on both sides: -1 if it is not there
}

type outlines struct {
	Rules
	versions [3]version
	kept     map[int]*kept
	parts    []Part
	last     int // ID of the piece that was written last
}

// keep decides which pieces stay, and below which others.
func (m *outlines) keep() {
	for _, v := range m.versions[:old] {
		for _, p := range v.Pieces {
			if m.kept[p.ID] == nil {
				m.decide(p.ID)
			}
		}
	}
}

func (m *outlines) decide(id int) {
	k := &kept{m.versions[our].pieces[id], m.versions[their].pieces[id], m.versions[old].pieces[id], [2]int{-1, -1}}
	switch one := k.one(); {
	case one == nil: // both have it
		in := [2]int{k.ours.Parent, k.theirs.Parent}
		if k.base != nil && in[our] == k.base.Parent {
			in[our] = in[their]
		} else if k.base != nil && in[their] == k.base.Parent {
			in[their] = in[our]
		}
		k.in = in
	case k.base != nil && k.base.Text == one.Text && k.base.Parent == one.Parent:
		return // the other side has removed it
	case k.ours != nil:
		k.in[our] = one.Parent
	default:
		k.in[their] = one.Parent
	}
	m.kept[id] = k
}

// one is the piece if only one side has it, else nil.
func (k *kept) one() *Piece {
	switch {
	case k.ours == nil:
		return k.theirs
	case k.theirs == nil:
		return k.ours
	}
	return nil
}

// revive keeps what one side has removed and the other one still needs to hold other pieces.
// It returns false if a piece is below itself.
func (m *outlines) revive() bool {
	for _, v := range m.versions[:old] {
		for _, p := range v.Pieces {
			if m.kept[p.ID] == nil {
				continue
			}
			for s := range m.kept[p.ID].in {
				steps := 0
				for id := m.kept[p.ID].in[s]; id > 0; steps++ {
					k := m.kept[id]
					if k == nil {
						k = &kept{m.versions[our].pieces[id], m.versions[their].pieces[id], m.versions[old].pieces[id], [2]int{-1, -1}}
						m.kept[id] = k
						if k.ours != nil {
							k.in[our] = k.ours.Parent
						} else {
							k.in[their] = k.theirs.Parent
						}
					}
					if steps > len(m.kept) {
						return false
					}
					id = max(k.in[our], k.in[their])
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
			case k.one() == nil && k.in[1-i] != parent:
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
	part := Part{Kind: k.any().Kind, Gap: m.gap(p.id, k)}
	switch one := k.one(); {
	case one != nil && k.base == nil:
		part.Hunks = []textdiff.Hunk{textdiff.Settled(one.Text)}
	case one != nil && one == k.ours, p.side == onlyOurs:
		part.conflict(k.ours.Text, "")
	case one != nil, p.side == onlyTheirs:
		part.conflict("", k.theirs.Text)
	case k.ours.Text == k.theirs.Text || k.base != nil && k.base.Text == k.theirs.Text:
		part.Hunks = []textdiff.Hunk{textdiff.Settled(k.ours.Text)}
	case k.base != nil && k.base.Text == k.ours.Text:
		part.Hunks = []textdiff.Hunk{textdiff.Settled(k.theirs.Text)}
	default:
		part.Hunks = m.Content(k.base, k.ours, k.theirs)
	}
	m.parts = append(m.parts, part)
	m.last = p.id
}

// conflict makes the part one that only one side has. The blank lines before it belong to it.
func (p *Part) conflict(ours, theirs string) {
	if ours != "" {
		ours = p.Gap + ours
	} else {
		theirs = p.Gap + theirs
	}
	p.Gap, p.Hunks = "", []textdiff.Hunk{{Conflict: true, Ours: ours, Theirs: theirs}}
}

func (k *kept) any() *Piece {
	if k.ours != nil {
		return k.ours
	}
	return k.theirs
}

// gap returns the blank lines between the piece that was written last and the next one: those
// of the versions in which the two are neighbours, or else those beside one of them in front of
// or behind a piece of the same kind.
func (m *outlines) gap(id int, k *kept) string {
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
	last := m.kindOf(m.last)
	kind := endID
	if k != nil {
		kind = k.any().Kind
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

func (m *outlines) kindOf(id int) int {
	for _, v := range m.versions {
		if p := v.pieces[id]; p != nil {
			return p.Kind
		}
	}
	return 0
}
