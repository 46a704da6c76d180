package validate

import (
	"maps"
	"slices"
	"strings"

	"whence/internal/finding"
	"whence/internal/index"
)

// An entry belongs in the section of its decision file, in the order of the headings. All other lines stay
// where they are. An emptied section stays; a missing one is added, by path if the sections are sorted.

// entriesInPlace lists the entries in a section that is the one of their file.
func (k *check) entriesInPlace(section int) (lines []int) {
	s := k.Index.Sections[section]
	for i := s.First; i < s.End; i++ {
		if !k.sameKey[i].identical && k.inPlace(i) {
			lines = append(lines, i)
		}
	}
	return lines
}

// moves returns the fix that moves lines into the sections of their headings.
func (k *check) moves(lines []int) *finding.Fix {
	fix := &finding.Fix{}
	var entries []Entry
	for _, i := range lines {
		fix.Edits = append(fix.Edits, k.removal(i))
		entries = append(entries, Entry{k.joined.Targets[i], k.Index.Text(k.Index.Lines[i])})
	}
	fix.Edits = append(fix.Edits, k.insertions(entries)...)
	return fix
}

// insertions returns the edits that insert entries, one for each offset.
func (k *check) insertions(entries []Entry) []finding.Edit {
	bySection := map[string][]Entry{}
	for _, e := range entries {
		path := k.Decisions[e.File].Section()
		bySection[path] = append(bySection[path], e)
	}
	inserts := insertions{check: k, eol: k.Index.LineEnd(), at: map[int][]string{}}
	var missing []string // inserted last: they follow entries at the same offset
	for _, path := range slices.Sorted(maps.Keys(bySection)) {
		group := bySection[path]
		slices.SortStableFunc(group, func(a, b Entry) int { return comparePlaces(a.Place, b.Place) })
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
		edits = append(edits, finding.Edit{Path: k.IndexPath, Start: offset, End: offset, New: strings.Join(inserts.at[offset], "")})
	}
	return edits
}

// insertions collects the text to insert at each offset of the index.
type insertions struct {
	*check
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
		for next < len(present) && comparePlaces(ins.joined.Targets[present[next]], e.Place) <= 0 {
			offset = ins.Index.Lines[present[next]].Next
			next++
		}
		ins.add(offset, e.Line, ins.eol)
	}
}

// atTail inserts entries after the last line of a section without entries in place. A blank line separates them
// from other lines.
func (ins *insertions) atTail(s index.Section, group []Entry) {
	end := s.End - 1
	for ins.blank(end) {
		end--
	}
	before := ""
	if !isEntry(ins.Index.Lines[end]) {
		before = ins.eol
	}
	ins.add(ins.Index.Lines[end].Next, before, ins.lines(group))
}

// newSection adds the section of a decision file with entries.
func (ins *insertions) newSection(path string, group []Entry) {
	offset := ins.sectionOffset(path)
	before, after := "", ins.eol
	if offset == len(ins.Index.Source) {
		after = ""
		if last := len(ins.Index.Lines) - 1; ins.at[offset] != nil || last >= 0 && !ins.blank(last) {
			before = ins.eol
		}
	}
	ins.add(offset, before, "## "+path, ins.eol, ins.eol, ins.lines(group), after)
}

func (ins *insertions) lines(group []Entry) string {
	var text strings.Builder
	for _, e := range group {
		text.WriteString(e.Line + ins.eol)
	}
	return text.String()
}

// sectionOffset returns where to add a section: before the first one of a later path if
// the sections are sorted, else at the end.
func (ins *insertions) sectionOffset(path string) int {
	offset, previous := len(ins.Index.Source), ""
	for _, s := range ins.Index.Sections {
		if _, isFile := ins.files[s.Path]; !isFile {
			continue
		}
		if s.Path < previous {
			return len(ins.Index.Source)
		}
		if s.Path > path && previous <= path {
			offset = ins.Index.Lines[s.First].Start
		}
		previous = s.Path
	}
	return offset
}
