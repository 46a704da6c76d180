package validate

import (
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/rank"
)

// A renamed heading leaves an entry without a heading and a heading without an
// entry in one file. The two belong together if their titles share at least half
// of the words of the longer one (stop words do not count), and if no other title
// of that file comes near for either of them. Of the 13 entries in a real tree
// that had lost their heading, this pairs 12, all of them rightly.
const (
	renameOverlap = 0.5 // least share of common words
	renameMargin  = 0.2 // least distance to the second best
	renameWork    = 4e6 // pairs of titles in one file above which nothing is proposed
)

// rename is the heading that an entry with an unknown title seems to mean.
type rename struct {
	heading heading
	fix     *finding.Fix // writes the title of today
}

// findRenames proposes headings for the entries that have none. The second map
// is the first one inverted: no heading is proposed twice.
func (k *check) findRenames() (map[int]rename, map[heading]int) {
	renames, renamed := map[int]rename{}, map[heading]int{}
	orphans := k.orphansByFile()
	for fi, lines := range orphans {
		var free []heading
		for hi, h := range k.Decisions[fi].Headings {
			if h.Semantic() && !h.Intro && !k.claimed(h) {
				free = append(free, heading{fi, hi})
			}
		}
		if len(free)*len(lines) > renameWork {
			continue
		}
		k.pair(lines, free, func(line int, h heading) {
			title := k.edit(k.Index.Lines[line].Entry.Title.Span, index.Escape(k.heading(h).Title))
			renames[line] = rename{h, &finding.Fix{Unsafe: true, Edits: []finding.Edit{title}}}
			renamed[h] = line
		})
	}
	return renames, renamed
}

// orphansByFile lists the entries without heading that stand in the section of a
// decision file, by the index of that file.
func (k *check) orphansByFile() map[int][]int {
	orphans := map[int][]int{}
	for _, i := range k.originals {
		line := k.Index.Lines[i]
		if _, known := k.targets[i]; known || len(k.structuralOf(line.Entry.Title.Text)) > 0 {
			continue
		}
		if fi, exists := k.files[k.section(line).Path]; exists {
			orphans[fi] = append(orphans[fi], i)
		}
	}
	return orphans
}

// pair calls found for each line and heading that prefer each other clearly.
func (k *check) pair(lines []int, free []heading, found func(line int, h heading)) {
	lineWords := make([]map[string]bool, len(lines))
	for a, i := range lines {
		lineWords[a] = rank.Words(k.Index.Lines[i].Entry.Title.Text)
	}
	headingWords := make([]map[string]bool, len(free))
	for b, h := range free {
		headingWords[b] = rank.Words(k.heading(h).Title)
	}
	bestOfLine := make([]best, len(lines))
	bestOfHeading := make([]best, len(free))
	for a := range lines {
		for b := range free {
			overlap := rank.Overlap(lineWords[a], headingWords[b])
			bestOfLine[a].add(b, overlap)
			bestOfHeading[b].add(a, overlap)
		}
	}
	for a, i := range lines {
		if b, clear := bestOfLine[a].clear(); clear {
			if back, clear := bestOfHeading[b].clear(); clear && back == a {
				found(i, free[b])
			}
		}
	}
}

// best keeps the best and the second best overlap.
type best struct {
	index         int
	first, second float64
}

func (b *best) add(index int, overlap float64) {
	switch {
	case overlap > b.first:
		b.index, b.first, b.second = index, overlap, b.first
	case overlap > b.second:
		b.second = overlap
	}
}

func (b *best) clear() (index int, clear bool) {
	return b.index, b.first >= renameOverlap && b.first-b.second >= renameMargin
}
