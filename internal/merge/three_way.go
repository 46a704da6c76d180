package merge

import (
	"bytes"
	"slices"
	"strings"

	"whence/internal/textdiff"
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

// Func merges three texts whose lines end alike. It returns false if it cannot be sure of the
// result.
type Func func(base, ours, theirs string) ([]textdiff.Hunk, bool)

// Files merges three versions of a file, by lines if merge is not sure. Byte-order mark, line
// ends and the missing end of the last line are merged as well. It returns the text, with
// conflict markers of a length, and the number of conflicts.
func Files(base, ours, theirs []byte, markerSize int, merge Func) (text []byte, conflicts int) {
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
	if alike := b.end != "" && o.end != "" && t.end != ""; alike {
		form.end = Value(b.end, o.end, t.end)
		b.unify()
		o.unify()
		t.unify()
	}
	hunks, sure := merge(b.text, o.text, t.text)
	if !sure {
		hunks = textdiff.Merge3(b.text, o.text, t.text)
	}
	form.text, conflicts = render(hunks, markerSize)
	form.open = form.open && !endsInConflict(hunks)
	return form.bytes(), conflicts
}

// Value merges a value that a program can compare: the one that was changed, or ours.
func Value[T comparable](base, ours, theirs T) T {
	if ours == base {
		return theirs
	}
	return ours
}

// form is a text and what surrounds it.
type form struct {
	bom  bool
	open bool   // the last line is not ended
	end  string // of all lines; "" if they differ
	text string // without the byte-order mark, its last line ended
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
		if f.end == "" {
			f.text += "\n"
		} else {
			f.text += f.end
		}
	}
	return f
}

// unify gives all lines the end "\n".
func (f *form) unify() { f.text = strings.ReplaceAll(f.text, "\r\n", "\n") }

// bytes is the file.
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
func endsInConflict(hunks []textdiff.Hunk) bool {
	for _, h := range slices.Backward(hunks) {
		if h.Conflict || h.Ours != "" {
			return h.Conflict
		}
	}
	return false
}

// render writes a merge with markers, and counts the conflicts.
func render(hunks []textdiff.Hunk, size int) (text string, conflicts int) {
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
