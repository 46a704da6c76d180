package when

import (
	"slices"
	"strings"

	"whence/internal/decision"
)

// entryOf returns the entry that leads to a document, and its place among those of the folder.
func (l *Library) entryOf(f *decision.File) (e entry, place int, found bool, err error) {
	beside, folder := l.bySection[f.Section()], l.folders[f.Section()]
	leads := func(i int) (bool, error) {
		e := l.entries[i]
		if !f.Headings[0].Is(decision.Key(e.Title.Text)) {
			return false, nil
		}
		p, err := l.locate(e) // folders hold records with the same title
		return p.file == f, err
	}
	if len(beside) == len(folder) {
		if place, known := slices.BinarySearch(folder, f.Path); known {
			if found, err = leads(beside[place]); found || err != nil {
				return l.entries[beside[place]], place, found, err
			}
		}
	}
	for n, i := range slices.Concat(beside, l.bySection[""]) {
		if found, err = leads(i); found || err != nil {
			return l.entries[i], min(n, len(beside)), found, err
		}
	}
	return entry{}, 0, false, nil
}

// nameAsEntry returns an entry for a document that none leads to: its trigger is the query for the file.
func (l *Library) nameAsEntry(f *decision.File) entry {
	e := entry{section: f.Section()}
	e.Operator, e.Trigger.Text, e.Title.Text = "when", strings.TrimPrefix(l.fileQuery(f.Path), "/when "), f.Headings[0].Title
	return e
}
