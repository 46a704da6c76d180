package when

import (
	"fmt"
	"path"

	"whence/internal/decision"
)

// maxRelated is how many entries of one kind are named beside an answer. The line
// of the section or file that holds them tells how many more there are.
const maxRelated = 12

// relatedToEntry lists what lies beside the section of an entry: the entries under
// the same parent, the parent section, and the file.
func (l *Library) relatedToEntry(i int, p place) ([]Related, error) {
	parent := p.head().Parent
	if parent >= 0 && p.file.Headings[parent].Level < 2 {
		parent = -1
	}
	var siblings []Related
	byHeading := l.leadingTo(p.file).entries
	for h, head := range p.file.Headings {
		e, indexed := byHeading[h]
		if indexed && h != p.heading && parentSection(p.file, h) == parent {
			siblings = append(siblings, Related{e.command(), head.Title, "sibling"})
		}
	}
	related, more := limit(siblings, p, byHeading)
	if parent >= 0 {
		section := place{p.file, parent}
		command, err := l.sectionQuery(section)
		if err != nil {
			return nil, err
		}
		if command != "" {
			related = append(related, Related{command, "Full parent section" + remark(more), "parent"})
			more = 0
		}
	}
	return append(related, l.fileLine(p.file, more)), nil
}

// limit keeps the entries that stand nearest, and counts the others.
func limit(siblings []Related, p place, byHeading map[int]entry) (kept []Related, more int) {
	if len(siblings) <= maxRelated {
		return siblings, 0
	}
	before := 0
	for h := range byHeading {
		if h < p.heading && parentSection(p.file, h) == parentSection(p.file, p.heading) {
			before++
		}
	}
	start := min(max(0, before-maxRelated/2), len(siblings)-maxRelated)
	return siblings[start : start+maxRelated], len(siblings) - maxRelated
}

func remark(more int) string {
	if more == 0 {
		return ""
	}
	return fmt.Sprintf(", with %d more entries", more)
}

// parentSection is the heading of level two or deeper that holds another one, or -1.
func parentSection(f *decision.File, h int) int {
	parent := f.Headings[h].Parent
	if parent >= 0 && f.Headings[parent].Level < 2 {
		return -1
	}
	return parent
}

func (l *Library) fileLine(f *decision.File, more int) Related {
	return Related{l.fileQuery(f.Path), "Full " + path.Base(f.Path) + " file" + remark(more), "file"}
}

// relatedToSection lists the entries inside of a section, and its file.
func (l *Library) relatedToSection(p place) ([]Related, error) {
	return append(l.entriesOf(p.file, p.heading, "child"), l.fileLine(p.file, 0)), nil
}

// entriesOf lists the entries of a file, or of a section of it, in the order of
// their headings.
func (l *Library) entriesOf(f *decision.File, section int, relation string) []Related {
	byHeading := l.leadingTo(f).entries
	var related []Related
	for h, head := range f.Headings {
		e, indexed := byHeading[h]
		inside := section < 0 || head.Start >= f.Headings[section].Start && head.End <= f.Headings[section].End
		if indexed && inside && h != section {
			related = append(related, Related{e.command(), head.Title, relation})
		}
	}
	return related
}
