package index

import (
	"strconv"
	"strings"

	"whence/internal/merge"
)

// Merge merges the changes of two sides entry by entry, and returns the text, with conflict
// markers of the given length, and the number of conflicts. Entries are matched by operator and
// header title, or else by trigger, and merged field by field. If the result would not have the
// entries that it should have, the text is merged by lines.
func Merge(base, ours, theirs []byte, markerSize int) (text []byte, conflicts int) {
	return merge.Files(base, ours, theirs, markerSize, &merge.Format{
		Cut: cut, Pair: pair, Content: mergeContent, Gap: gap, Loose: []int{preamblePiece, foreignPiece},
	})
}

// The kinds of pieces: a line, the preamble, or a run of foreign lines.
const (
	preamblePiece = iota + 1
	headingPiece
	entryPiece // also one that is malformed
	foreignPiece
)

// cut cuts an index into pieces. Blank lines belong to the piece that follows.
func cut(text string) (pieces []merge.Piece, ok bool) {
	f := Parse([]byte(text))
	section, at := -1, 0
	add := func(kind, parent int, l Line, keys ...string) {
		keys = append([]string{""}, keys...)
		pieces = append(pieces, merge.Piece{Parent: parent, Kind: kind, Gap: text[at:l.Start], Text: text[l.Start:l.Next], Keys: keys})
		at = l.Next
	}
	for _, l := range f.Lines {
		last := len(pieces) - 1
		switch {
		case l.Kind == Heading:
			section = len(pieces)
			add(headingPiece, -1, l, "\n"+f.Sections[l.Section].Path)
		case l.Kind == EntryLine || l.Kind == Malformed:
			add(entryPiece, section, l, entryKeys(l.Entry)...)
		case l.Kind == Blank || l.Kind == Preamble && !l.Opaque && strings.TrimSpace(f.Text(l)) == "":
		case last >= 0 && (pieces[last].Kind == preamblePiece || pieces[last].Kind == foreignPiece):
			pieces[last].Text += text[at:l.Next]
			at = l.Next
		case l.Kind == Preamble:
			add(preamblePiece, -1, l)
		default:
			add(foreignPiece, section, l)
		}
	}
	seen := map[string]int{}
	for _, p := range pieces { // equal texts are told apart by their number
		p.Keys[0] = strconv.Itoa(seen[p.Text]) + p.Text
		seen[p.Text]++
	}
	return pieces, true
}

// maxKeys is the number of keys of an entry: one of its text, and those of its fields.
const maxKeys = 5

// entryKeys returns the keys of the fields of an entry, the most specific first.
func entryKeys(e Entry) []string {
	key := func(fields ...string) string {
		if fields[len(fields)-1] == "" {
			return ""
		}
		return NormalizeTrigger(strings.Join(fields, "\n"))
	}
	title, trigger := e.Title.Text, e.Trigger.Text
	return []string{key(e.Operator, title, trigger), key(e.Operator, title), key(title), key(e.Operator, trigger)}
}

// pair pairs the preambles, equal pieces, sections and entries by their keys, sections of a renamed
// file, and changed foreign lines by the pieces before or after them.
func pair(m *merge.Match) {
	m.By(func(pieces []merge.Piece, i int, _ func(int) int) string {
		if pieces[i].Kind == preamblePiece {
			return "preamble"
		}
		return ""
	})
	for n := range maxKeys {
		m.ByKey(n)
	}
	pairSections(m)
	for _, step := range []int{-1, 1} {
		m.By(func(pieces []merge.Piece, i int, name func(int) int) string {
			j := i + step
			if pieces[i].Kind == foreignPiece && j >= 0 && j < len(pieces) && pieces[j].Kind != foreignPiece && name(j) >= 0 {
				return strconv.Itoa(name(j))
			}
			return ""
		})
	}
}

// pairSections pairs sections without a pair that have entries in common: their file is renamed.
func pairSections(m *merge.Match) {
	shared, size := map[[2]int]int{}, map[int]int{}
	for i, p := range m.Left {
		size[p.Parent]++
		r := m.ToRight[i]
		if r < 0 || p.Parent < 0 || m.Right[r].Parent < 0 {
			continue
		}
		if sections := [2]int{p.Parent, m.Right[r].Parent}; m.ToRight[sections[0]] == -1 && m.ToLeft[sections[1]] == -1 {
			shared[sections]++
		}
	}
	for sections, n := range shared {
		if 2*n > size[sections[0]] { // so no other section has as many
			m.Pair(sections[0], sections[1])
		}
	}
}

// mergeContent merges a piece that both sides have changed.
func mergeContent(base, ours, theirs *merge.Piece) []merge.Hunk {
	if ours.Kind == preamblePiece || ours.Kind == foreignPiece {
		if base == nil {
			base = &merge.Piece{}
		}
		return merge.Lines(base.Text, ours.Text, theirs.Text)
	}
	if base != nil && ours.Kind == entryPiece {
		if text, clean := mergeEntry(base.Text, ours.Text, theirs.Text); clean {
			return []merge.Hunk{merge.Settled(text)}
		}
	}
	return []merge.Hunk{{Conflict: true, Ours: ours.Text, Theirs: theirs.Text}}
}

// mergeEntry merges the operator and the fields of an entry, as they are written.
func mergeEntry(base, ours, theirs string) (text string, clean bool) {
	b, _, readB := raw(base)
	o, spans, readO := raw(ours)
	t, _, readT := raw(theirs)
	if !readB || !readO || !readT {
		return "", false
	}
	text = ours
	for i := len(spans) - 1; i >= 0; i-- { // from the end, so that offsets stay
		if b[i] != o[i] && b[i] != t[i] && o[i] != t[i] {
			return "", false
		}
		text = text[:spans[i].Start] + merge.Value(b[i], o[i], t[i]) + text[spans[i].End:]
	}
	return text, true
}

// raw returns the operator and the fields of an entry line as they are written, and their spans.
func raw(line string) (fields [4]string, spans [4]Span, ok bool) {
	l := parseLine(line)
	if l.Kind != EntryLine {
		return fields, spans, false
	}
	at := strings.Index(line, "/"+l.Entry.Operator) + 1
	spans = [4]Span{{at, at + len(l.Entry.Operator)}, l.Entry.Trigger.Span, l.Entry.Title.Span, l.Entry.Description.Span}
	for i, s := range spans {
		fields[i] = line[s.Start:s.End]
	}
	return fields, spans, true
}

// parseLine reads a line of a section.
func parseLine(line string) Line {
	f := &File{Source: []byte(line), text: line}
	l := Line{Span: Span{0, len(strings.TrimRight(line, "\r\n"))}, Next: len(line)}
	f.classifyBody(&l, f.Text(l))
	return l
}

// gap returns the blank lines between two pieces of some kinds: none between entries.
func gap(before, after int) string {
	if before == 0 || after < 0 || before == entryPiece && after == entryPiece {
		return ""
	}
	return "\n"
}
