package validate

import (
	"slices"
	"sort"
	"strings"

	"whence/internal/finding"
)

// An entry belongs into the section of its heading's file, at the place that its
// heading has there. Entries in a right place stay: of the entries of a section,
// the longest run that is in order is kept, and only the others move. Lines that
// are no entries never move. A section that becomes empty stays; a section that is
// lacking is made, at its place by path if the sections are sorted.

// noSection stands for a section that has to be made.
const noSection = -1

// arrival is an entry line that is to be put in place.
type arrival struct {
	heading heading
	text    string
	section int // index into Index.Sections, or noSection
}

// sectionFor is the section that entries of a decision file belong into.
func (k *check) sectionFor(file int) int {
	if i, exists := k.sectionOf[k.Decisions[file].Path]; exists {
		return i
	}
	return noSection
}

// misplaced lists the entries that stand under another file than their heading. In a
// section whose name is a slip of the pen, that is what is wrong, not its entries.
func (k *check) misplaced() []int {
	var lines []int
	for _, i := range k.unique {
		h, known := k.target(i)
		if known && !k.inPlace(i) && k.intended(k.section(k.Index.Lines[i]).Path) == "" && k.Decisions[h.file].Conflicts == nil {
			lines = append(lines, i)
		}
	}
	return lines
}

// ordered splits the entries of a section that stand under their own file into
// those that are in the order of their headings, and those that are not.
func (k *check) ordered(section int) (kept, moved []int) {
	var lines []int
	s := k.Index.Sections[section]
	for i := s.First; i < s.End; i++ {
		if _, repeated := k.duplicates[i]; !repeated && k.inPlace(i) {
			lines = append(lines, i)
		}
	}
	inRun := make(map[int]bool, len(lines))
	for _, at := range longestRun(len(lines), func(at int) int { return k.targets[lines[at]].index }) {
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

// longestRun returns the positions of a longest subsequence of n values that does
// not decrease. It takes n log n steps (patience sorting).
func longestRun(n int, value func(int) int) []int {
	var tops []int // position of the smallest last value of a run of each length
	before := make([]int, n)
	for at := range n {
		length, _ := slices.BinarySearchFunc(tops, value(at)+1, func(top, v int) int { return value(top) - v })
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
	run := make([]int, len(tops))
	for i, at := len(tops)-1, last(tops); i >= 0; i, at = i-1, before[at] {
		run[i] = at
	}
	return run
}

func last(values []int) int {
	if len(values) == 0 {
		return -1
	}
	return values[len(values)-1]
}

// moves returns the fix that puts entries into a section: the lines that are moved, of this
// section or of others. Each section has a fix of its own, so that one which cannot be made takes
// no other with it.
func (k *check) moves(lines []int, section int) *finding.Fix {
	fix := &finding.Fix{}
	var arrivals []arrival
	for _, i := range lines {
		line := k.Index.Lines[i]
		fix.Edits = append(fix.Edits, k.edit(wholeLine(line), ""))
		arrivals = append(arrivals, arrival{k.targets[i], k.Index.Text(line), section})
	}
	fix.Edits = append(fix.Edits, k.insertions(arrivals)...)
	return fix
}

// insertions puts entries where they belong: one edit for each place.
func (k *check) insertions(arrivals []arrival) []finding.Edit {
	slices.SortStableFunc(arrivals, func(a, b arrival) int {
		if a.heading.file != b.heading.file {
			return a.heading.file - b.heading.file
		}
		return a.heading.index - b.heading.index
	})
	inserts := insertions{check: k, eol: k.Index.LineEnd(), at: map[int]*strings.Builder{}}
	for start := 0; start < len(arrivals); {
		end := start + 1
		for end < len(arrivals) && arrivals[end].section == arrivals[start].section && arrivals[end].heading.file == arrivals[start].heading.file {
			end++
		}
		if group := arrivals[start:end]; group[0].section != noSection {
			inserts.intoSection(group)
		}
		start = end
	}
	inserts.newSections(arrivals)
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

// intoSection inserts arrivals of one section, which are in the order of their
// headings, each behind the last entry that stays and precedes it.
func (ins *insertions) intoSection(group []arrival) {
	kept, _ := ins.ordered(group[0].section)
	eol := ins.eol
	next := 0
	for _, a := range group {
		for next < len(kept) && ins.targets[kept[next]].index <= a.heading.index {
			next++
		}
		switch {
		case next > 0:
			ins.add(ins.Index.Lines[kept[next-1]].Next, a.text, eol)
		case len(kept) > 0:
			ins.add(ins.Index.Lines[kept[0]].Start, a.text, eol)
		default:
			ins.atTail(group)
			return
		}
	}
}

// atTail inserts arrivals at the end of a section that has no entries to go by.
func (ins *insertions) atTail(group []arrival) {
	eol := ins.eol
	var text strings.Builder
	for _, a := range group {
		text.WriteString(a.text)
		text.WriteString(eol)
	}
	s := ins.Index.Sections[group[0].section]
	end := s.End - 1
	for end > s.First && ins.blank(end) {
		end--
	}
	before, after := "", ""
	switch {
	case end == s.First && end+1 < s.End: // heading and a blank line
		end++
		if end+1 < len(ins.Index.Lines) && !ins.blank(end+1) {
			after = eol
		}
	case !ins.isEntry(end):
		before = eol
		if end+1 < len(ins.Index.Lines) && !ins.blank(end+1) {
			after = eol
		}
	}
	ins.add(ins.Index.Lines[end].Next, before, text.String(), after)
}

// newSections makes the sections that are lacking.
func (ins *insertions) newSections(arrivals []arrival) {
	eol := ins.eol
	for start := 0; start < len(arrivals); {
		file := arrivals[start].heading.file
		end := start
		var lines strings.Builder
		for end < len(arrivals) && arrivals[end].heading.file == file {
			if arrivals[end].section == noSection {
				lines.WriteString(arrivals[end].text)
				lines.WriteString(eol)
			}
			end++
		}
		start = end
		if lines.Len() == 0 {
			continue
		}
		offset := ins.sectionOffset(ins.Decisions[file].Path)
		text := "## " + ins.Decisions[file].Path + eol + eol + lines.String()
		if ins.needsBlank(offset) {
			text = eol + text
		}
		if offset < len(ins.Index.Source) {
			text += eol
		}
		ins.add(offset, text)
	}
}

// needsBlank tells whether a heading at an offset must be set off by a blank line.
func (ins *insertions) needsBlank(offset int) bool {
	if before := ins.at[offset]; before != nil {
		return !strings.HasSuffix(before.String(), ins.eol+ins.eol)
	}
	before := sort.Search(len(ins.Index.Lines), func(i int) bool { return ins.Index.Lines[i].Next > offset }) - 1
	return before >= 0 && !ins.blank(before)
}

// sectionOffset is where a new section goes: before the first section of a later
// path if the sections are sorted, else at the end.
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
