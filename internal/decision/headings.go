package decision

import "strings"

// addBlocks appends the headings and situations.
func (f *File) addBlocks() {
	after := -1 // the heading directly above
	for _, b := range parseBlocks(f.Source, contentStart(f.Source)).children {
		switch b.kind {
		case headingBlock:
			after = f.addHeadingBlock(b)
			continue
		case htmlBlock:
			f.addSituations(b.start, b.end, after)
		default:
			f.addNestedSituations(b)
		}
		after = -1
	}
}

// addHeadingBlock appends a heading and returns its index, or -1 if it has no text.
func (f *File) addHeadingBlock(b *block) int {
	var lines []string
	for _, l := range b.lines {
		lines = append(lines, strings.TrimSpace(string(f.Source[l.Start:l.End])))
	}
	title := strings.TrimSpace(strings.Join(lines, " "))
	if title == "" {
		return -1
	}
	return f.addHeading(b.level, title, f.lineStart(b.start), b.end)
}

// addNestedSituations looks for comments in lists and block quotes, where they belong to no heading.
func (f *File) addNestedSituations(b *block) {
	for _, child := range b.children {
		if child.kind == htmlBlock {
			f.addSituations(child.start, child.end, -1)
		}
		f.addNestedSituations(child)
	}
}
