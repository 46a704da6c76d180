package index

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whence/internal/merge"
	"whence/internal/textdiff"
)

// Merge merges the changes of two sides entry by entry, and returns the text, with conflict
// markers of a length, and the number of conflicts. An entry is known again by its operator and
// header title, or else by its trigger, and its fields are merged one by one. Where the result
// would not have the entries that it should have, it is merged by lines.
func Merge(base, ours, theirs []byte, markerSize int) (text []byte, conflicts int) {
	return merge.Files(base, ours, theirs, markerSize, mergeTexts)
}

func mergeTexts(base, ours, theirs string) ([]textdiff.Hunk, bool) {
	versions := [3][]piece{cut(base), cut(ours), cut(theirs)}
	ids := merge.Number([3]int{len(versions[0]), len(versions[1]), len(versions[2])}, func(m *merge.Match, left, right int) {
		pair(m, versions[left], versions[right])
	})
	var outlines [3]merge.Outline
	for i, text := range []string{base, ours, theirs} {
		outlines[i] = outline(versions[i], ids[i], text)
	}
	parts, sure := merge.Outlines(outlines[0], outlines[1], outlines[2], merge.Rules{Content: mergePiece, Gap: gap})
	return merge.Hunks(parts), sure && readsBack(parts, false) && readsBack(parts, true)
}

// The kinds of pieces.
const (
	preamblePiece = iota + 1
	headingPiece
	entryPiece // also one that is malformed
	foreignPiece
)

// piece is a line of an index, the preamble, or a run of foreign lines.
type piece struct {
	kind    int
	section int // index of the piece that is its heading, or -1
	gap     string
	text    string
	path    string // of a heading
	entry   Entry
}

// cut cuts an index into pieces. Blank lines are in front of the next one.
func cut(text string) (pieces []piece) {
	f := Parse([]byte(text))
	section, at := -1, 0
	add := func(kind int, l Line) *piece {
		if kind == headingPiece {
			section = len(pieces)
		}
		pieces = append(pieces, piece{kind: kind, section: section, gap: text[at:l.Start], text: text[l.Start:l.Next], entry: l.Entry})
		at = l.Next
		return &pieces[len(pieces)-1]
	}
	for i, l := range f.Lines {
		last := len(pieces) - 1
		switch {
		case l.Kind == Heading:
			p := add(headingPiece, l)
			p.section, p.path = -1, f.Sections[l.Section].Path
		case l.Kind == EntryLine || l.Kind == Malformed:
			add(entryPiece, l)
		case l.Kind == Blank || l.Kind == Preamble && !l.Opaque && strings.TrimSpace(f.Text(f.Lines[i])) == "":
		case last >= 0 && (pieces[last].kind == preamblePiece || pieces[last].kind == foreignPiece):
			pieces[last].text += text[at:l.Next]
			at = l.Next
		case l.Kind == Preamble:
			add(preamblePiece, l)
		default:
			add(foreignPiece, l)
		}
	}
	return pieces
}

// outline returns the pieces in the form that package merge takes.
func outline(pieces []piece, ids []int, text string) (o merge.Outline) {
	length := 0
	for i, p := range pieces {
		parent := 0
		if p.section >= 0 {
			parent = ids[p.section]
		}
		length += len(p.gap) + len(p.text)
		o.Pieces = append(o.Pieces, merge.Piece{ID: ids[i], Parent: parent, Kind: p.kind, Gap: p.gap, Text: p.text})
	}
	o.Tail = text[length:]
	return o
}

// pair finds out which pieces are the same in two versions.
func pair(m *merge.Match, left, right []piece) {
	by := func(key func(p piece) string) {
		m.By(func(i int) string { return key(left[i]) }, func(i int) string { return key(right[i]) })
	}
	by(func(p piece) string {
		if p.kind == preamblePiece {
			return "preamble"
		}
		return ""
	})
	numbers := [2][]int{occurrences(left), occurrences(right)}
	m.By(func(i int) string { return strconv.Itoa(numbers[0][i]) + left[i].text }, func(i int) string { return strconv.Itoa(numbers[1][i]) + right[i].text })
	by(func(p piece) string { return p.path })
	for _, key := range []func(e Entry) []string{
		func(e Entry) []string { return []string{e.Operator, e.Title.Text, e.Trigger.Text} },
		func(e Entry) []string { return []string{e.Operator, e.Title.Text} },
		func(e Entry) []string { return []string{e.Title.Text} },
		func(e Entry) []string { return []string{e.Operator, e.Trigger.Text} },
	} {
		by(func(p piece) string {
			fields := key(p.entry)
			if p.kind != entryPiece || fields[len(fields)-1] == "" {
				return ""
			}
			return NormalizeTrigger(strings.Join(fields, "\n"))
		})
	}
	pairSections(m, left, right)
	for _, step := range []int{-1, 1} { // foreign lines that are changed, by what is before or behind them
		m.By(func(i int) string { return neighbour(left, i, step, func(i int) int { return i }) },
			func(i int) string { return neighbour(right, i, step, func(i int) int { return m.Right[i] }) })
	}
}

// occurrences counts how often the text of each piece is there before it.
func occurrences(pieces []piece) []int {
	seen, numbers := map[string]int{}, make([]int, len(pieces))
	for i, p := range pieces {
		numbers[i] = seen[p.text]
		seen[p.text]++
	}
	return numbers
}

// pairSections pairs sections without a pair that have entries in common: their file is renamed.
func pairSections(m *merge.Match, left, right []piece) {
	shared := map[[2]int]int{}
	for i, p := range left {
		if r := m.Left[i]; r >= 0 && p.section >= 0 && right[r].section >= 0 && m.Left[p.section] == -1 && m.Right[right[r].section] == -1 {
			shared[[2]int{p.section, right[r].section}]++
		}
	}
	size := map[int]int{}
	for _, p := range left {
		size[p.section]++
	}
	for sections, n := range shared {
		if 2*n > size[sections[0]] { // so no other section has as many
			m.Pair(sections[0], sections[1])
		}
	}
}

// neighbour is the key of a run of foreign lines: the piece beside it.
func neighbour(pieces []piece, i, step int, id func(i int) int) string {
	if j := i + step; pieces[i].kind == foreignPiece && j >= 0 && j < len(pieces) && pieces[j].kind != foreignPiece && id(j) >= 0 {
		return strconv.Itoa(id(j))
	}
	return ""
}

// mergePiece merges what both sides have changed.
func mergePiece(base, ours, theirs *merge.Piece) []textdiff.Hunk {
	if ours.Kind == preamblePiece || ours.Kind == foreignPiece {
		if base == nil {
			base = &merge.Piece{}
		}
		return textdiff.Merge3(base.Text, ours.Text, theirs.Text)
	}
	if base != nil && ours.Kind == entryPiece {
		if text, clean := mergeEntry(base.Text, ours.Text, theirs.Text); clean {
			return []textdiff.Hunk{textdiff.Settled(text)}
		}
	}
	return []textdiff.Hunk{{Conflict: true, Ours: ours.Text, Theirs: theirs.Text}}
}

// mergeEntry merges the operator and the fields of an entry, each as it is written.
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

// raw returns the operator and the fields of an entry line as they are written, and where.
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

// gap sets two pieces apart; entries follow each other without a gap.
func gap(before, after int) string {
	if before == 0 || after < 0 || before == entryPiece && after == entryPiece {
		return ""
	}
	return "\n"
}

// readsBack reports whether the text of one side has the headings and entries that it was made
// of, in their sections.
func readsBack(parts []merge.Part, theirs bool) bool {
	var text strings.Builder
	var want, got []string
	for _, p := range parts {
		own := merge.Resolve(p.Hunks, theirs)
		text.WriteString(p.Gap + own)
		if p.Kind == headingPiece || p.Kind == entryPiece {
			want = append(want, fmt.Sprint(p.Kind, strings.TrimSpace(own)))
		}
	}
	for _, p := range cut(text.String()) {
		if p.kind == headingPiece || p.kind == entryPiece {
			got = append(got, fmt.Sprint(p.kind, strings.TrimSpace(p.text)))
		}
	}
	want = slices.DeleteFunc(want, func(s string) bool { return len(s) == 1 })
	return slices.Equal(want, got)
}
