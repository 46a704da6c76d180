package decision

import (
	"slices"
	"strconv"
	"strings"

	"whence/internal/merge"
	"whence/internal/textdiff"
)

// Merge merges the changes of two sides heading by heading, and returns the text, with conflict
// markers of a length, and the number of conflicts. A heading is known again by its title below
// the same heading, by its title alone, or, if it is renamed, by the text below it; that text is
// merged by lines. A file in which a title is twice below one heading is merged by lines as a
// whole, as is one whose result would not have the headings that it should have.
func Merge(base, ours, theirs []byte, markerSize int) (text []byte, conflicts int) {
	return merge.Files(base, ours, theirs, markerSize, mergeTexts)
}

func mergeTexts(base, ours, theirs string) ([]textdiff.Hunk, bool) {
	var versions [3][]piece
	for i, text := range []string{base, ours, theirs} {
		versions[i] = cut(text)
		if TooDeep([]byte(text)) > 0 || ambiguous(versions[i]) {
			return nil, false
		}
	}
	ids := merge.Number([3]int{len(versions[0]), len(versions[1]), len(versions[2])}, func(m *merge.Match, left, right int) {
		pair(m, versions[left], versions[right], left == 0)
	})
	var outlines [3]merge.Outline
	for i, text := range []string{base, ours, theirs} {
		outlines[i] = outline(versions[i], ids[i], text)
	}
	parts, sure := merge.Outlines(outlines[0], outlines[1], outlines[2], merge.Rules{
		Content: mergePiece, Gap: func(int, int) string { return "\n" },
	})
	return merge.Hunks(parts), sure && readsBack(parts, false) && readsBack(parts, true)
}

// piece is a heading with the text up to the next one, or what is before the first one.
type piece struct {
	key    string // of the title; "" for what is before the first heading
	parent int    // index of the piece that holds it, or -1
	gap    string
	text   string
	body   string // the text without the heading
}

// cut cuts a decision file into pieces. Blank lines are in front of the next one.
func cut(text string) (pieces []piece) {
	f := Parse("", []byte(text))
	at := 0
	add := func(p piece, start, body, end int) {
		content := strings.TrimRight(text[start:end], " \t\r\n")
		if content == "" {
			return // blank lines only
		}
		to := end // of its last line
		if i := strings.IndexByte(text[start+len(content):end], '\n'); i >= 0 {
			to = start + len(content) + i + 1
		}
		p.gap, p.text, p.body = text[at:start], text[start:to], text[min(body, to):to]
		pieces = append(pieces, p)
		at = to
	}
	first := len(text)
	if len(f.Headings) > 0 {
		first = f.Headings[0].Start
	}
	start := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	start = strings.LastIndex(text[:start], "\n") + 1
	if start < first {
		add(piece{parent: -1}, start, start, first)
	}
	before := len(pieces)
	for i, h := range f.Headings {
		end := len(text)
		if i+1 < len(f.Headings) {
			end = f.Headings[i+1].Start
		}
		parent := -1
		if h.Parent >= 0 {
			parent = before + h.Parent
		}
		add(piece{key: h.Key, parent: parent}, h.Start, h.Body, end)
	}
	return pieces
}

// ambiguous reports whether two headings below the same one have one title.
func ambiguous(pieces []piece) bool {
	type place struct {
		parent int
		key    string
	}
	seen := map[place]bool{}
	for _, p := range pieces {
		if seen[place{p.parent, p.key}] {
			return true
		}
		seen[place{p.parent, p.key}] = true
	}
	return false
}

// outline returns the pieces in the form that package merge takes.
func outline(pieces []piece, ids []int, text string) (o merge.Outline) {
	length := 0
	for i, p := range pieces {
		parent, kind := 0, 1
		if p.parent >= 0 {
			parent = ids[p.parent]
		}
		if p.key == "" {
			kind = 2
		}
		length += len(p.gap) + len(p.text)
		o.Pieces = append(o.Pieces, merge.Piece{ID: ids[i], Parent: parent, Kind: kind, Gap: p.gap, Text: p.text})
	}
	o.Tail = text[length:]
	return o
}

// pair finds out which pieces are the same in two versions. Two headings that both sides have
// added are not one that is renamed.
func pair(m *merge.Match, left, right []piece, renames bool) {
	by := func(key func(pieces []piece, i int, parent string) string) {
		m.By(func(i int) string { return key(left, i, parentName(left, i, func(p int) int { return p })) },
			func(i int) string { return key(right, i, parentName(right, i, func(p int) int { return m.Right[p] })) })
	}
	for range 2 { // what is below a renamed heading is found the second time
		for before := -1; before != unpaired(m); {
			before = unpaired(m)
			by(func(pieces []piece, i int, parent string) string {
				if parent == "" {
					return ""
				}
				return parent + "/" + pieces[i].key
			})
		}
		by(func(pieces []piece, i int, _ string) string { return pieces[i].key })
		if !renames {
			return
		}
		by(func(pieces []piece, i int, _ string) string {
			if body := strings.TrimSpace(pieces[i].body); len(body) >= minBodyBytes {
				return body
			}
			return ""
		})
		pairRenamed(m, left, right)
	}
}

// minBodyBytes is how long the text of a renamed heading must be to be known again.
const minBodyBytes = 20

// parentName names the heading that holds a piece by its index on the left; "" if it has no pair.
func parentName(pieces []piece, i int, left func(p int) int) string {
	parent := pieces[i].parent
	if parent < 0 {
		return "top"
	}
	if parent = left(parent); parent < 0 {
		return ""
	}
	return strconv.Itoa(parent)
}

func unpaired(m *merge.Match) (n int) {
	for _, pair := range m.Right {
		if pair == -1 {
			n++
		}
	}
	return n
}

// maxRenamed is the number of headings without a pair above which none is compared with others.
const maxRenamed = 100

// pairRenamed pairs headings without a pair, below the same one, that have most of their lines
// in common.
func pairRenamed(m *merge.Match, left, right []piece) {
	if unpaired(m) > maxRenamed {
		return
	}
	for l := range left {
		if m.Left[l] != -1 || left[l].key == "" {
			continue
		}
		found := -1
		for r := range right {
			if m.Right[r] != -1 || parentName(left, l, func(p int) int { return p }) != parentName(right, r, func(p int) int { return m.Right[p] }) {
				continue
			}
			if similar(left[l].body, right[r].body) {
				if found >= 0 {
					found = -1
					break
				}
				found = r
			}
		}
		if found >= 0 {
			m.Pair(l, found)
		}
	}
}

// similar reports whether two texts have more than half of their lines in common.
func similar(a, b string) bool {
	lines := map[string]bool{}
	for line := range strings.Lines(a) {
		if line = strings.TrimSpace(line); line != "" {
			lines[line] = true
		}
	}
	shared, total := 0, len(lines)
	for line := range strings.Lines(b) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if lines[line] {
			shared++
		} else {
			total++
		}
	}
	return 2*shared > total
}

// mergePiece merges a heading that both sides have changed, and its text by lines.
func mergePiece(base, ours, theirs *merge.Piece) []textdiff.Hunk {
	if base == nil {
		base = &merge.Piece{}
	}
	b, bodyB := head(base.Text)
	o, bodyO := head(ours.Text)
	t, bodyT := head(theirs.Text)
	var hunks []textdiff.Hunk
	if o == t || b == o || b == t {
		hunks = append(hunks, textdiff.Settled(merge.Value(b, o, t)))
	} else if line, clean := mergeHeading(b, o, t); clean {
		hunks = append(hunks, textdiff.Settled(line))
	} else {
		hunks = append(hunks, textdiff.Hunk{Conflict: true, Ours: o, Theirs: t})
	}
	return append(hunks, textdiff.Merge3(bodyB, bodyO, bodyT)...)
}

// head splits a piece behind its heading.
func head(text string) (heading, body string) {
	f := Parse("", []byte(text))
	if len(f.Headings) == 0 || f.Headings[0].Start > 0 {
		return "", text
	}
	return text[:f.Headings[0].Body], text[f.Headings[0].Body:]
}

// mergeHeading merges the level and the title of a heading with hashes.
func mergeHeading(base, ours, theirs string) (line string, clean bool) {
	var levels, titles [3]string
	for i, heading := range []string{base, ours, theirs} {
		titles[i] = strings.TrimLeft(heading, "#")
		levels[i] = heading[:len(heading)-len(titles[i])]
		if levels[i] == "" {
			return "", false
		}
	}
	for _, v := range [][3]string{levels, titles} {
		if v[0] != v[1] && v[0] != v[2] && v[1] != v[2] {
			return "", false
		}
		line += merge.Value(v[0], v[1], v[2])
	}
	return line, true
}

// readsBack reports whether the text of one side has the pieces that it was made of.
func readsBack(parts []merge.Part, theirs bool) bool {
	var text strings.Builder
	var want, got []string
	for _, p := range parts {
		own := merge.Resolve(p.Hunks, theirs)
		text.WriteString(p.Gap + own)
		if own = strings.TrimSpace(own); own != "" {
			want = append(want, own)
		}
	}
	for _, p := range cut(text.String()) {
		got = append(got, strings.TrimSpace(p.text))
	}
	return slices.Equal(want, got)
}
