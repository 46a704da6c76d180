package decision

import "strings"

// addBlocks appends the headings and situations.
func (f *File) addBlocks() {
	after := -1 // the heading directly above
	for _, b := range f.blocks {
		switch {
		case b.Kind == HeadingBlock && b.Top:
			after = f.addHeadingBlock(b)
			continue
		case b.Kind == HTMLBlock && b.Top:
			f.addSituations(b.Start, b.End, after)
		case b.Kind == HTMLBlock: // in a list or quote, it belongs to no heading
			f.addSituations(b.Start, b.End, -1)
		}
		after = -1
	}
}

// addHeadingBlock appends a heading and returns its index, or -1 if it has no text.
func (f *File) addHeadingBlock(b Block) int {
	var lines []string
	for _, l := range b.Lines {
		lines = append(lines, strings.TrimSpace(string(f.Source[l.Start:l.End])))
	}
	title := strings.TrimSpace(strings.Join(lines, " "))
	if title == "" {
		return -1
	}
	return f.addHeading(b.Level, title, b.Start, b.End)
}
