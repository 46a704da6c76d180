package validate

import (
	"maps"
	"slices"
	"strings"

	"whence/internal/finding"
	"whence/internal/index"
)

// An entry belongs in the section of its decision file, in the order of the headings. All other lines stay
// where they are. An emptied section stays; a missing one is added at the end.

// entriesInPlace lists the entries in a section that is the one of their file.
func (k *audit) entriesInPlace(section int) (lines []int) {
	s := k.Index.Sections[section]
	for i := s.First; i < s.End; i++ {
		if !k.sameKey[i].identical && k.inPlace(i) {
			lines = append(lines, i)
		}
	}
	return lines
}

// moves returns the fix that moves lines into the sections of their headings.
func (k *audit) moves(lines []int) *finding.Fix {
	fix := &finding.Fix{}
	var entries []Entry
	for _, i := range lines {
		fix.Edits = append(fix.Edits, k.removal(i))
		entries = append(entries, Entry{k.Target(i), k.Index.Text(k.Index.Lines[i])})
	}
	fix.Edits = append(fix.Edits, k.insertions(entries)...)
	return fix
}

// insertions returns the edits that insert entries, one for each offset.
func (k *audit) insertions(entries []Entry) []finding.Edit {
	bySection := map[string][]Entry{}
	for _, e := range entries {
		path := e.Heading.File.Section()
		bySection[path] = append(bySection[path], e)
	}
	inserts := insertions{audit: k, eol: k.Index.LineEnd(), at: map[int][]string{}}
	var missing []string // inserted last: they follow entries at the same offset
	for _, path := range slices.Sorted(maps.Keys(bySection)) {
		group := bySection[path]
		slices.SortStableFunc(group, func(a, b Entry) int { return a.Heading.Order(b.Heading) })
		if section, exists := k.sections[path]; exists {
			inserts.intoSection(section, group)
		} else {
			missing = append(missing, path)
		}
	}
	for _, path := range missing {
		inserts.newSection(path, bySection[path])
	}
	var edits []finding.Edit
	for _, offset := range slices.Sorted(maps.Keys(inserts.at)) {
		edits = append(edits, finding.Edit{Path: k.Layout.Index, Start: offset, End: offset, New: strings.Join(inserts.at[offset], "")})
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
func (ins *insertions) intoSection(section int, group []Entry) {
	present := ins.entriesInPlace(section)
	if len(present) == 0 {
		ins.atTail(ins.Index.Sections[section], group)
		return
	}
	offset, next := ins.Index.Lines[present[0]].Start, 0
	for _, e := range group {
		for next < len(present) && ins.Target(present[next]).Order(e.Heading) <= 0 {
			offset = ins.Index.Lines[present[next]].Next
			next++
		}
		ins.add(offset, e.Line, ins.eol)
	}
}

// atTail inserts entries at the end of a section without entries in place, with a blank line between them and other
// lines.
func (ins *insertions) atTail(s index.Section, group []Entry) {
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

// newSection adds the section of a decision file with entries at the end of the index.
func (ins *insertions) newSection(path string, group []Entry) {
	end := len(ins.Index.Source)
	before := ""
	if last := len(ins.Index.Lines) - 1; ins.at[end] != nil || last >= 0 && !ins.blank(last) {
		before = ins.eol
	}
	ins.add(end, before, "## "+path, ins.eol, ins.eol, ins.lines(group))
}

func (ins *insertions) lines(group []Entry) string {
	var text strings.Builder
	for _, e := range group {
		text.WriteString(e.Line + ins.eol)
	}
	return text.String()
}
