package validate

import (
	"maps"
	"slices"
	"strings"

	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/memory"
)

// An entry belongs in the section of its decision file, in the order of the headings. All other lines stay
// where they are. An emptied section stays; a missing one is added at the end.

// entriesInPlace lists the entries of a section that belong there, without repeated lines.
func (a *audit) entriesInPlace(section index.Section) (entries []*memory.Entry) {
	for i := section.First; i < section.End; i++ {
		if e := a.EntryAt(i); e != nil && !a.sameKey[e].identical && a.inPlace(e) {
			entries = append(entries, e)
		}
	}
	return entries
}

// moves returns the fix that moves entries into the sections of their headings.
func (a *audit) moves(entries []*memory.Entry) *finding.Fix {
	fix := &finding.Fix{}
	var moved []Insertion
	for _, e := range entries {
		fix.Edits = append(fix.Edits, a.removal(e.Line))
		moved = append(moved, Insertion{e.Heading, a.text(e)})
	}
	fix.Edits = append(fix.Edits, a.insertions(moved)...)
	return fix
}

// insertions returns the edits that insert entries, at most one at each offset.
func (a *audit) insertions(entries []Insertion) []finding.Edit {
	bySection := map[string][]Insertion{}
	for _, e := range entries {
		path := e.Heading.File.Section()
		bySection[path] = append(bySection[path], e)
	}
	inserts := insertions{audit: a, eol: a.Index.LineEnd(), at: map[int][]string{}}
	var missing []string // inserted last: they follow entries at the same offset
	for _, path := range slices.Sorted(maps.Keys(bySection)) {
		group := bySection[path]
		slices.SortStableFunc(group, func(x, y Insertion) int { return x.Heading.Order(y.Heading) })
		if section, exists := a.sections[path]; exists {
			inserts.intoSection(a.Index.Sections[section], group)
		} else {
			missing = append(missing, path)
		}
	}
	for _, path := range missing {
		inserts.newSection(path, bySection[path])
	}
	var edits []finding.Edit
	for _, offset := range slices.Sorted(maps.Keys(inserts.at)) {
		edits = append(edits, finding.Edit{Path: a.Layout.Index, Start: offset, End: offset, New: strings.Join(inserts.at[offset], "")})
	}
	return edits
}

// insertions collects the text to insert at each offset of the index.
type insertions struct {
	*audit
	eol string
	at  map[int][]string
}

func (ins *insertions) add(offset int, parts ...string) {
	ins.at[offset] = append(ins.at[offset], parts...)
}

// intoSection inserts sorted entries into a section, each after the entries that precede it.
func (ins *insertions) intoSection(section index.Section, group []Insertion) {
	present := ins.entriesInPlace(section)
	if len(present) == 0 {
		ins.atTail(section, group)
		return
	}
	offset, next := ins.Index.Lines[present[0].Line].Start, 0
	for _, e := range group {
		for next < len(present) && present[next].Heading.Order(e.Heading) <= 0 {
			offset = ins.Index.Lines[present[next].Line].Next
			next++
		}
		ins.add(offset, e.Text, ins.eol)
	}
}

// atTail inserts entries at the end of a section that has no entries in place, with a blank line between them and lines
// that are not entries.
func (ins *insertions) atTail(s index.Section, group []Insertion) {
	end := s.End - 1
	for ins.blank(end) {
		end--
	}
	before, after := ins.eol, ins.eol
	if isEntry(ins.Index.Lines[end]) {
		before, after = "", ""
	} else if end == s.First && end+1 < s.End { // a blank line follows the heading
		before = ""
		end++
	}
	if end+1 == len(ins.Index.Lines) || ins.blank(end+1) {
		after = ""
	}
	ins.add(ins.Index.Lines[end].Next, before, ins.lines(group), after)
}

// newSection adds a section with entries of a decision file at the end of the index.
func (ins *insertions) newSection(path string, group []Insertion) {
	end := len(ins.Index.Source)
	before := ""
	if last := len(ins.Index.Lines) - 1; ins.at[end] != nil || last >= 0 && !ins.blank(last) {
		before = ins.eol
	}
	ins.add(end, before, "## "+path, ins.eol, ins.eol, ins.lines(group))
}

func (ins *insertions) lines(group []Insertion) string {
	var text strings.Builder
	for _, e := range group {
		text.WriteString(e.Text + ins.eol)
	}
	return text.String()
}
