package validate

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"whence/internal/finding"
)

// An entry belongs in the section of its decision file, in the order of the headings. The
// longest run of entries in order stays, and only the others move. Other lines never move.
// An emptied section stays; a missing one is added, by path if the sections are sorted.

// noSection stands for a section that must be added.
const noSection = -1

// arrival is an entry line to insert.
type arrival struct {
	Entry
	section int // index into Index.Sections, or noSection
}

// sectionFor returns the section of a decision file, or noSection.
func (k *check) sectionFor(file int) int {
	if i, exists := k.sections[k.Decisions[file].Section()]; exists {
		return i
	}
	return noSection
}

// misplaced lists the entries in the section of another file than that of their heading.
func (k *check) misplaced() []int {
	var lines []int
	for _, i := range k.unique {
		h, known := k.target(i)
		if known && !k.inPlace(i) && k.Decisions[h.File].Conflicts == nil {
			lines = append(lines, i)
		}
	}
	return lines
}

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
	inRun := make(map[int]bool, len(lines))
	for _, at := range longestRun(k.targetsOf(lines)) {
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

// targetsOf returns the headings that entries lead to.
func (k *check) targetsOf(lines []int) []Place {
	places := make([]Place, len(lines))
	for n, i := range lines {
		places[n] = k.joined.Targets[i]
	}
	return places
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

// moves returns the fix that moves lines into a section. Each section has its own fix, so that
// one that cannot be made does not prevent others.
func (k *check) moves(lines []int, section int) *finding.Fix {
	fix := &finding.Fix{}
	var arrivals []arrival
	for _, i := range lines {
		line := k.Index.Lines[i]
		fix.Edits = append(fix.Edits, k.removal(i))
		arrivals = append(arrivals, arrival{Entry{k.joined.Targets[i], k.Index.Text(line)}, section})
	}
	fix.Edits = append(fix.Edits, k.insertions(arrivals)...)
	return fix
}

// insertions returns the edits that insert entries, one for each offset.
func (k *check) insertions(arrivals []arrival) []finding.Edit {
	slices.SortStableFunc(arrivals, func(a, b arrival) int {
		return cmp.Or(strings.Compare(k.Decisions[a.File].Section(), k.Decisions[b.File].Section()), comparePlaces(a.Place, b.Place))
	})
	inserts := insertions{check: k, eol: k.Index.LineEnd(), at: map[int]*strings.Builder{}}
	var missing [][]arrival // inserted last: they follow entries at the same offset
	for rest := arrivals; len(rest) > 0; {
		section := k.Decisions[rest[0].File].Section()
		n := slices.IndexFunc(rest, func(a arrival) bool { return k.Decisions[a.File].Section() != section })
		if n < 0 {
			n = len(rest)
		}
		if rest[0].section == noSection {
			missing = append(missing, rest[:n])
		} else {
			inserts.intoSection(rest[:n])
		}
		rest = rest[n:]
	}
	for _, group := range missing {
		inserts.newSection(group)
	}
	var edits []finding.Edit
	for offset, text := range inserts.at {
		edits = append(edits, finding.Edit{Path: k.IndexPath, Start: offset, End: offset, New: text.String()})
	}
	slices.SortFunc(edits, func(a, b finding.Edit) int { return a.Start - b.Start })
	return edits
}

// insertions collects the text to insert at each offset of the index.
type insertions struct {
	*check
	eol string
	at  map[int]*strings.Builder
}

func (ins *insertions) add(offset int, parts ...string) {
	if ins.at[offset] == nil {
		ins.at[offset] = &strings.Builder{}
	}
	for _, part := range parts {
		ins.at[offset].WriteString(part)
	}
}

// intoSection inserts sorted arrivals of one section, each after the last entry that stays
// and precedes it.
func (ins *insertions) intoSection(group []arrival) {
	kept, _ := ins.ordered(group[0].section)
	if len(kept) == 0 {
		ins.atTail(group)
		return
	}
	next := 0
	for _, a := range group {
		for next < len(kept) && comparePlaces(ins.joined.Targets[kept[next]], a.Place) <= 0 {
			next++
		}
		if next > 0 {
			ins.add(ins.Index.Lines[kept[next-1]].Next, a.Line, ins.eol)
		} else {
			ins.add(ins.Index.Lines[kept[0]].Start, a.Line, ins.eol)
		}
	}
}

// atTail inserts arrivals at the end of a section without entries in place.
func (ins *insertions) atTail(group []arrival) {
	s := ins.Index.Sections[group[0].section]
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

// newSection adds the section of a decision file with arrivals.
func (ins *insertions) newSection(group []arrival) {
	path := ins.Decisions[group[0].File].Section()
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

func (ins *insertions) lines(group []arrival) string {
	var text strings.Builder
	for _, a := range group {
		text.WriteString(a.Line + ins.eol)
	}
	return text.String()
}

// needsBlank reports whether a heading at an offset needs a blank line before it.
func (ins *insertions) needsBlank(offset int) bool {
	if before := ins.at[offset]; before != nil {
		return !strings.HasSuffix(before.String(), ins.eol+ins.eol)
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
