package decision

import "strings"

// A log holds many decisions, each with chapters such as Context and Decision. These belong to their decision, as all
// headings below that do: they repeat, so that none of them can be asked for.

// minLogSections is the number of sections with such a chapter that make a file a log.
const minLogSections = 2

// joinChapters makes the headings below the decisions of a log their text.
func (f *File) joinChapters() {
	level := f.logLevel()
	if level == 0 {
		return
	}
	f.chapters = f.Headings
	kept, at := []Heading{}, make([]int, len(f.Headings)) // where each heading is among those that are kept, or -1
	hasH2 := false
	for i, h := range f.Headings {
		if at[i] = -1; h.Level > level {
			continue
		}
		if h.Parent >= 0 {
			h.Parent = at[h.Parent]
		}
		hasH2 = hasH2 || h.Level == 2
		h.Intro = h.Intro && hasH2
		at[i] = len(kept)
		kept = append(kept, h)
	}
	for i, s := range f.Situations {
		if s.Heading >= 0 {
			f.Situations[i].Heading = at[s.Heading]
		}
	}
	f.Headings = kept
}

// IsLog reports whether a Markdown file is a log.
func IsLog(src []byte) bool { return parseAll("", src).logLevel() > 0 }

// logLevel returns the level of the decisions of a log, or 0 if the file is none.
func (f *File) logLevel() int {
	with := map[int]bool{}    // the headings with a chapter of a record
	sections := map[int]int{} // their number by level
	for _, h := range f.Headings {
		if h.Parent < 0 || with[h.Parent] || !IsRecordTitle(strings.Trim(h.Key, "*: ")) {
			continue
		}
		if parent := f.Headings[h.Parent]; parent.Level > 1 && !parent.Structural() {
			with[h.Parent] = true
			sections[parent.Level]++
		}
	}
	for level := 2; level <= 6; level++ {
		if sections[level] >= minLogSections {
			return level
		}
	}
	return 0
}
