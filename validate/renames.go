package validate

import (
	"maps"
	"slices"
	"strings"

	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/rank"
)

// rename is the heading that an entry with an unknown title seems to mean.
type rename struct {
	heading Place
	fix     *finding.Fix // writes its title
}

// maxHistories bounds the files whose history git reads: each takes some milliseconds.
const maxHistories = 10

// findRenames proposes headings for entries without one. It pairs the entries and headings
// without counterpart of each file by the words of their titles (see rank.Pairs), or else by
// the history of the file. The second map is the inverse of the first.
func (k *check) findRenames() (map[int]rename, map[Place]int) {
	renames, renamed := map[int]rename{}, map[Place]int{}
	orphans := k.orphansByFile()
	asked := 0
	for _, fi := range slices.Sorted(maps.Keys(orphans)) {
		lines := orphans[fi]
		var titles, freeTitles []string
		for _, i := range lines {
			titles = append(titles, k.Index.Lines[i].Entry.Title.Text)
		}
		var free []Place
		for _, at := range k.headingsIn(fi) {
			if h := k.heading(at); h.Semantic() && !h.Intro && !k.claimed(at) {
				free = append(free, at)
				freeTitles = append(freeTitles, h.Title)
			}
		}
		propose := func(line int, h Place) {
			title := k.edit(k.Index.Lines[line].Entry.Title.Span, index.Escape(k.headerTitle(h)))
			renames[line] = rename{h, &finding.Fix{Unsafe: true, Edits: []finding.Edit{title}}}
			renamed[h] = line
		}
		pairs := rank.Pairs(titles, freeTitles)
		for _, pair := range pairs {
			propose(lines[pair.Left], free[pair.Right])
		}
		history, known := k.Tree.(corpus.HistoryFS)
		if !known || k.Decisions[fi].Document || len(pairs) == len(lines) || len(pairs) == len(free) || asked == maxHistories {
			continue
		}
		asked++
		later := history.RenamedHeadings(k.Decisions[fi].Path)
		for _, line := range lines {
			if _, done := renames[line]; done {
				continue
			}
			key := latest(later, decision.Key(k.Index.Lines[line].Entry.Title.Text))
			at := slices.IndexFunc(free, func(h Place) bool { return k.heading(h).Key == key })
			if at < 0 {
				continue
			}
			if _, taken := renamed[free[at]]; !taken {
				propose(line, free[at])
			}
		}
	}
	return renames, renamed
}

// latest follows the renames of a title. It stops at a cycle.
func latest(later map[string]string, key string) string {
	for seen := map[string]bool{}; later[key] != "" && !seen[key]; key = later[key] {
		seen[key] = true
	}
	return key
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
		if fi, exists := k.sections[k.section(line).Path]; exists {
			orphans[fi] = append(orphans[fi], i)
		}
	}
	return orphans
}
