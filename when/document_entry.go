package when

import (
	"path"
	"slices"
	"strings"

	"whence/internal/decision"
)

// documentOf finds the document that an entry in the section of its folder leads to, by its title or
// its name. Entries are in the order of the files, and names are made of titles: most often neither
// another file nor all of them have to be read.
func (l *Library) documentOf(e entry, folder []string) (p headingRef, found bool, err error) {
	key := decision.Key(e.Title.Text)
	leadsTo := func(name string, is func(decision.Heading) bool) (bool, error) {
		f, err := l.file(name)
		if err != nil {
			return false, err
		}
		p = headingRef{f, 0}
		return is(f.Headings[0]), nil
	}
	byTitle := func(h decision.Heading) bool { return h.Key == key }
	byEither := func(h decision.Heading) bool { return h.Is(key) }

	if beside := l.bySection[e.section]; len(beside) == len(folder) {
		i, _ := slices.BinarySearchFunc(beside, e.line, func(i, line int) int { return l.entries[i].line - line })
		if i < len(folder) {
			if found, err = leadsTo(folder[i], byEither); found || err != nil {
				return p, found, err
			}
		}
	}
	word := longestWord(e.Title.Text)
	for _, name := range folder {
		if strings.Contains(strings.ToLower(path.Base(name)), word) {
			if found, err = leadsTo(name, byTitle); found || err != nil {
				return p, found, err
			}
		}
	}
	paths, err := l.mentioning(folder, e.Title.Text)
	if err != nil {
		return headingRef{}, false, err
	}
	for _, name := range paths {
		if found, err = leadsTo(name, byTitle); found || err != nil {
			return p, found, err
		}
	}
	for _, name := range folder {
		if decision.Key(decision.NameInWords(name)) == key {
			if found, err = leadsTo(name, byEither); found || err != nil {
				return p, found, err
			}
		}
	}
	return headingRef{}, false, nil
}

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
