package when

import (
	"fmt"
	"path"
	"slices"

	"whence/internal/decision"
)

// relatedToEntry returns what is near the section of an entry: the entries under
// the same parent, the parent section, and the file.
func (l *Library) relatedToEntry(p headingRef) ([]Related, error) {
	if p.file.Document {
		return l.relatedDocuments(p.file)
	}
	to, parent := l.leadingTo(p.file), parentSection(p.file, p.heading)
	siblings, more := nearest(to.siblings[parent], p.heading)
	var related []Related
	for _, h := range siblings {
		related = append(related, Related{to.entries[h].command(), p.file.Headings[h].Title, "sibling"})
	}
	if parent >= 0 {
		command, err := l.sectionQuery(headingRef{p.file, parent})
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

// maxRelated is the number of related entries of one kind. The line of their section or file has the
// number of others.
const maxRelated = 12

// nearest returns the siblings nearest to a heading, without itself, and the number of others.
func nearest(siblings []int, heading int) (near []int, more int) {
	before, among := slices.BinarySearch(siblings, heading)
	others := len(siblings)
	if among {
		others--
	}
	start := max(0, min(before-maxRelated/2, others-maxRelated))
	near = slices.Clone(siblings[start:min(len(siblings), start+maxRelated+1)])
	near = slices.DeleteFunc(near, func(h int) bool { return h == heading })
	near = near[:min(len(near), maxRelated)]
	return near, others - len(near)
}

func remark(more int) string {
	if more == 0 {
		return ""
	}
	return fmt.Sprintf(", with %d more entries", more)
}

// parentSection returns the heading of level two or deeper that contains a heading, or -1.
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

// entriesIn returns the entries that lead into a section of a file, or anywhere into it if section
// is -1, in the order of headings.
func (l *Library) entriesIn(f *decision.File, section int) []Related {
	byHeading := l.leadingTo(f).entries
	var related []Related
	for h, head := range f.Headings {
		e, indexed := byHeading[h]
		inside := section < 0 || head.Start >= f.Headings[section].Start && head.End <= f.Headings[section].End
		if indexed && inside && h != section {
			related = append(related, Related{e.command(), head.Title, "child"})
		}
	}
	return related
}
