package merge

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Labels of the two sides in conflict markers.
const (
	Ours   = "ours"
	Theirs = "theirs"
)

// MarkerSize is the length of git's conflict markers, unless an attribute says otherwise.
const MarkerSize = 7

// bom is the UTF-8 encoding of U+FEFF, which some editors put at the start of a file.
const bom = "\uFEFF"

// Files merges three versions of a file of a format, by lines if the result by pieces is not
// certain. Byte-order marks, line ends and missing ends of the last line are merged as well. It
// returns the text, with conflict markers of the given length, and the number of conflicts.
func Files(base, ours, theirs []byte, markerSize int, format *Format) (text []byte, conflicts int) {
	switch {
	case bytes.Equal(ours, theirs), bytes.Equal(base, theirs):
		return ours, 0
	case bytes.Equal(base, ours):
		return theirs, 0
	}
	b, o, t := newForm(base), newForm(ours), newForm(theirs)
	if len(base) == 0 { // both have added the file: ours counts
		b.bom, b.open, b.end = t.bom, t.open, t.end
	}
	form := o
	form.bom = Value(b.bom, o.bom, t.bom)
	form.open = Value(b.open, o.open, t.open)
	if b.end != "" && o.end != "" && t.end != "" {
		form.end = Value(b.end, o.end, t.end)
		b.unify()
		o.unify()
		t.unify()
	}
	hunks, ok := mergePieces(b.text, o.text, t.text, format)
	if !ok {
		hunks = Lines(b.text, o.text, t.text)
	}
	form.text, conflicts = render(hunks, markerSize)
	form.open = form.open && !endsInConflict(hunks)
	return form.bytes(), conflicts
}

// Value merges three values: it returns the changed one, or ours if both sides changed it.
func Value[T comparable](base, ours, theirs T) T {
	if ours == base {
		return theirs
	}
	return ours
}

// form is a text without its byte-order mark, and with an end of its last line.
type form struct {
	text string
	bom  bool
	open bool   // the last line had no end
	end  string // line end of all lines; "" if they differ
}

func newForm(src []byte) form {
	var f form
	f.text, f.bom = strings.CutPrefix(string(src), bom)
	lines, crlf := strings.Count(f.text, "\n"), strings.Count(f.text, "\r\n")
	switch {
	case crlf == 0 && !strings.Contains(f.text, "\r"):
		f.end = "\n"
	case crlf == lines && strings.Count(f.text, "\r") == crlf:
		f.end = "\r\n"
	}
	if f.open = f.text != "" && !strings.HasSuffix(f.text, "\n"); f.open {
		f.text += cmp.Or(f.end, "\n")
	}
	return f
}

func (f *form) unify() { f.text = strings.ReplaceAll(f.text, "\r\n", "\n") }

func (f form) bytes() []byte {
	text := f.text
	if f.end == "\r\n" {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if f.open {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	}
	if f.bom {
		text = bom + text
	}
	return []byte(text)
}

// endsInConflict reports whether the last line of a merge is a marker.
func endsInConflict(hunks []Hunk) bool {
	for _, h := range slices.Backward(hunks) {
		if h.Conflict || h.Ours != "" {
			return h.Conflict
		}
	}
	return false
}

// render returns a merge with conflict markers, and the number of conflicts.
func render(hunks []Hunk, size int) (text string, conflicts int) {
	var out strings.Builder
	for _, h := range hunks {
		if !h.Conflict {
			out.WriteString(h.Ours)
			continue
		}
		conflicts++
		out.WriteString(strings.Repeat("<", size) + " " + Ours + "\n")
		out.WriteString(h.Ours)
		out.WriteString(strings.Repeat("=", size) + "\n")
		out.WriteString(h.Theirs)
		out.WriteString(strings.Repeat(">", size) + " " + Theirs + "\n")
	}
	return out.String(), conflicts
}
