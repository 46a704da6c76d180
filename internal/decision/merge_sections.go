package decision

import (
	"strconv"
	"strings"

	"whence/internal/merge"
)

// Merge merges the changes of two sides heading by heading, and returns the text, with conflict
// markers of the given length, and the number of conflicts. Headings are matched by their titles
// below the same heading, by their titles alone, or, if renamed, by the text below them; that text
// is merged by lines. A file with two equal titles below one heading is merged by lines as a whole,
// as is one whose result would not have the headings that it should have.
func Merge(base, ours, theirs []byte, markerSize int) (text []byte, conflicts int) {
	return merge.Files(base, ours, theirs, markerSize, &merge.Format{
		Cut: cut, Pair: pair, Content: mergeContent, Gap: func(int, int) string { return "\n" },
	})
}

// The kinds of pieces.
const (
	introPiece   = iota + 1 // everything before the first heading
	headingPiece            // a heading with the text up to the next one
)

// The keys of a piece.
const (
	titleKey = iota // "" for everything before the first heading
	bodyKey         // the text without the heading
)

// cut cuts a decision file into pieces. Blank lines belong to the piece that follows. It returns
// ok false if headings below the same one have equal titles, or the file is nested too deeply.
func cut(text string) (pieces []merge.Piece, ok bool) {
	if TooDeep([]byte(text)) > 0 {
		return nil, false
	}
	f := Parse("", []byte(text))
	at := 0
	add := func(p merge.Piece, title string, start, body, end int) {
		content := strings.TrimRight(text[start:end], " \t\r\n")
		if content == "" {
			return // blank lines only
		}
		to := end // of its last line
		if i := strings.IndexByte(text[start+len(content):end], '\n'); i >= 0 {
			to = start + len(content) + i + 1
		}
		p.Gap, p.Text = text[at:start], text[start:to]
		p.Keys = []string{titleKey: title, bodyKey: strings.TrimSpace(text[min(body, to):to])}
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
		add(merge.Piece{Parent: -1, Kind: introPiece}, "", start, start, first)
	}
	intros := len(pieces)
	for i, h := range f.Headings {
		end := len(text)
		if i+1 < len(f.Headings) {
			end = f.Headings[i+1].Start
		}
		parent := -1
		if h.Parent >= 0 {
			parent = intros + h.Parent
		}
		add(merge.Piece{Parent: parent, Kind: headingPiece}, h.Key, h.Start, h.Body, end)
	}
	return pieces, !ambiguous(pieces)
}

// ambiguous reports whether two headings below the same one have one title.
func ambiguous(pieces []merge.Piece) bool {
	type position struct {
		parent int
		title  string
	}
	seen := map[position]bool{}
	for _, p := range pieces {
		at := position{p.Parent, p.Keys[titleKey]}
		if seen[at] {
			return true
		}
		seen[at] = true
	}
	return false
}

// pair pairs the headings that are the same in two versions. Two headings that both sides have
// added are not one that is renamed.
func pair(m *merge.Match) {
	for range 2 { // what is below a renamed heading is found the second time
		for before := -1; before != unpaired(m); {
			before = unpaired(m)
			m.By(func(pieces []merge.Piece, i int, name func(int) int) string {
				parent := parentName(pieces, i, name)
				if parent == "" {
					return ""
				}
				return parent + "/" + pieces[i].Keys[titleKey]
			})
		}
		m.ByKey(titleKey)
		if m.Added {
			return
		}
		m.By(func(pieces []merge.Piece, i int, _ func(int) int) string {
			if body := pieces[i].Keys[bodyKey]; len(body) >= minBodyBytes {
				return body
			}
			return ""
		})
		pairRenamed(m)
	}
}

// minBodyBytes is the minimum length of text by which a renamed heading is matched.
const minBodyBytes = 20

// parentName names the heading that holds a piece; "" if it has no pair.
func parentName(pieces []merge.Piece, i int, name func(i int) int) string {
	parent := pieces[i].Parent
	if parent < 0 {
		return "top"
	}
	if parent = name(parent); parent < 0 {
		return ""
	}
	return strconv.Itoa(parent)
}

func unpaired(m *merge.Match) (n int) {
	for _, pair := range m.ToLeft {
		if pair == -1 {
			n++
		}
	}
	return n
}

// maxRenamed is the number of unpaired headings above which they are not compared.
const maxRenamed = 100

// pairRenamed pairs headings without a pair, below the same one, that have most of their lines
// in common.
func pairRenamed(m *merge.Match) {
	if unpaired(m) > maxRenamed {
		return
	}
	for l := range m.Left {
		if m.ToRight[l] != -1 || m.Left[l].Kind != headingPiece {
			continue
		}
		var found []int
		for r := range m.Right {
			if m.ToLeft[r] == -1 && m.SameKey(l, r, parentName) && similar(m.Left[l].Keys[bodyKey], m.Right[r].Keys[bodyKey]) {
				found = append(found, r)
			}
		}
		if len(found) == 1 {
			m.Pair(l, found[0])
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

// mergeContent merges a heading that both sides have changed, and its text by lines.
func mergeContent(base, ours, theirs *merge.Piece) []merge.Hunk {
	if base == nil {
		base = &merge.Piece{}
	}
	b, bodyB := head(base.Text)
	o, bodyO := head(ours.Text)
	t, bodyT := head(theirs.Text)
	var hunks []merge.Hunk
	if o == t || b == o || b == t {
		hunks = append(hunks, merge.Settled(merge.Value(b, o, t)))
	} else if line, clean := mergeHeading(b, o, t); clean {
		hunks = append(hunks, merge.Settled(line))
	} else {
		hunks = append(hunks, merge.Hunk{Conflict: true, Ours: o, Theirs: t})
	}
	return append(hunks, merge.Lines(bodyB, bodyO, bodyT)...)
}

// head splits a piece after its heading.
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
