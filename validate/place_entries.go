package validate

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"whence/internal/finding"
	"whence/internal/index"
)

// An entry belongs in the section of its decision file, in the order of the headings. The
// longest run of entries in order stays, and only the others move. Other lines never move.
// An emptied section stays; a missing one is added, by path if the sections are sorted.

// ordered splits the entries in the section of their file into those in the order of their
// headings, and those that must move.
func (k *check) ordered(section int) (kept, moved []int) {
	var lines []int
	s := k.Index.Sections[section]
	for i := s.First; i < s.End; i++ {
		if !k.sameKey[i].identical && k.inPlace(i) {
			lines = append(lines, i)
		}
	}
	places := make([]Place, len(lines))
	for n, i := range lines {
		places[n] = k.joined.Targets[i]
	}
	inRun := make(map[int]bool, len(lines))
	for _, at := range longestRun(places) {
		inRun[at] = true
	}
	for at, i := range lines {
		if inRun[at] {
			kept = append(kept, i)
		} else {
			moved = append(moved, i)
		}
	}
	return kept, moved
}

// longestRun returns the positions of a longest subsequence of places that is in file order. It takes
// n log n steps (patience sorting).
func longestRun(places []Place) []int {
	var tops []int // position of the first possible last place of a run of each length
	before := make([]int, len(places))
	for at, place := range places {
		length := sort.Search(len(tops), func(n int) bool { return comparePlaces(places[tops[n]], place) > 0 })
		before[at] = -1
		if length > 0 {
			before[at] = tops[length-1]
		}
		if length == len(tops) {
			tops = append(tops, at)
		} else {
			tops[length] = at
		}
	}
	for i := len(tops) - 2; i >= 0; i-- {
		tops[i] = before[tops[i+1]]
	}
	return tops
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

// intoSection inserts sorted entries into a section, each after the last entry that stays
// and precedes it.
func (ins *insertions) intoSection(section int, group []Entry) {
	kept, _ := ins.ordered(section)
	if len(kept) == 0 {
		ins.atTail(ins.Index.Sections[section], group)
		return
	}
	offset, next := ins.Index.Lines[kept[0]].Start, 0
	for _, e := range group {
		for next < len(kept) && comparePlaces(ins.joined.Targets[kept[next]], e.Place) <= 0 {
			offset = ins.Index.Lines[kept[next]].Next
			next++
		}
		ins.add(offset, e.Line, ins.eol)
	}
}

// atTail inserts entries at the end of a section without entries in place.
func (ins *insertions) atTail(s index.Section, group []Entry) {
	end := s.End - 1
	for end > s.First && ins.blank(end) {
		end--
	}
	before, after := "", ""
	isHeading := end == s.First && end+1 < s.End // with a blank line
	if isHeading {
		end++
	} else if !isEntry(ins.Index.Lines[end]) {
		before = ins.eol
	}
	if (isHeading || before != "") && end+1 < len(ins.Index.Lines) && !ins.blank(end+1) {
		after = ins.eol
	}
	ins.add(ins.Index.Lines[end].Next, before, ins.lines(group), after)
}

// newSection adds the section of a decision file with entries.
func (ins *insertions) newSection(path string, group []Entry) {
	offset := ins.sectionOffset(path)
	before, after := "", ""
	if ins.needsBlank(offset) {
		before = ins.eol
	}
	if offset < len(ins.Index.Source) {
		after = ins.eol
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

// needsBlank reports whether a heading at an offset needs a blank line before it.
func (ins *insertions) needsBlank(offset int) bool {
	if before := ins.at[offset]; before != nil {
		return !strings.HasSuffix(strings.Join(before, ""), ins.eol+ins.eol)
	}
	before := sort.Search(len(ins.Index.Lines), func(i int) bool { return ins.Index.Lines[i].Next > offset }) - 1
	return before >= 0 && !ins.blank(before)
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
		if s.Path > path && offset == len(ins.Index.Source) {
			offset = ins.Index.Lines[s.First].Start
		}
		previous = s.Path
	}
	return offset
}
