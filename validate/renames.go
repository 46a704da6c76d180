package validate

import (
	"maps"
	"slices"
	"strings"

	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/rank"
)

// rename is the heading that an entry with an unknown title seems to mean.
type rename struct {
	heading Place
	fix     *finding.Fix // writes its title
}

// findRenames proposes headings for entries without one. It pairs the entries and headings
// without counterpart of each file by the words of their titles (see rank.Pairs).
func (k *check) findRenames() map[int]rename {
	renames := map[int]rename{}
	orphans := k.orphansByFile()
	for _, fi := range slices.Sorted(maps.Keys(orphans)) {
		lines := orphans[fi]
		var titles, freeTitles []string
		for _, i := range lines {
			titles = append(titles, k.Index.Lines[i].Entry.Title.Text)
		}
		var free []Place
		for _, at := range k.headingsIn(fi) {
			if h := k.heading(at); h.Semantic() && !h.Intro && !k.claimed[k.name(at)] {
				free = append(free, at)
				freeTitles = append(freeTitles, h.Title)
			}
		}
		for _, pair := range rank.Pairs(titles, freeTitles) {
			line, h := lines[pair.Left], free[pair.Right]
			title := k.edit(k.Index.Lines[line].Entry.Title.Span, index.Escape(k.headerTitle(h)))
			renames[line] = rename{h, &finding.Fix{Unsafe: true, Edits: []finding.Edit{title}}}
		}
	}
	return renames
}

// headingsIn lists the headings that have their entries in the section of a file.
func (k *check) headingsIn(fi int) []Place {
	var places []Place
	section := k.Decisions[fi].Section()
	for next := fi; next < len(k.Decisions) && strings.HasPrefix(k.Decisions[next].Path, section); next++ {
		if k.Decisions[next].Section() != section {
			continue
		}
		for hi := range k.Decisions[next].Headings {
			places = append(places, Place{File: next, Heading: hi})
		}
	}
	return places
}

// orphansByFile lists the entries without heading in sections of decision files, by the
// index of the first file of the section.
func (k *check) orphansByFile() map[int][]int {
	orphans := map[int][]int{}
	for _, i := range k.unique {
		line := k.Index.Lines[i]
		if _, known := k.target(i); known || len(k.structuralOf(line.Entry.Title.Text)) > 0 {
			continue
		}
		if fi, exists := k.files[k.section(line).Path]; exists {
			orphans[fi] = append(orphans[fi], i)
		}
	}
	return orphans
}
