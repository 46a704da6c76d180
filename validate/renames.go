package validate

import (
	"maps"
	"slices"

	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/rank"
)

// rename is the heading that an entry with an unknown title seems to mean.
type rename struct {
	heading heading
	fix     *finding.Fix // writes the title of today
}

// maxHistories is for how many files git is asked at most: it takes some milliseconds.
const maxHistories = 10

// findRenames proposes headings for entries that have none. A renamed heading
// leaves an entry without a heading and a heading without an entry in one file;
// they are paired by the words of their titles, see rank.Pairs, and where those say
// nothing by the history of the file, if the tree knows it. The second map is the
// first one inverted: no heading is proposed twice.
func (k *check) findRenames() (map[int]rename, map[heading]int) {
	renames, renamed := map[int]rename{}, map[heading]int{}
	orphans := k.orphansByFile()
	asked := 0
	for _, fi := range slices.Sorted(maps.Keys(orphans)) {
		lines := orphans[fi]
		var titles, freeTitles []string
		for _, i := range lines {
			titles = append(titles, k.Index.Lines[i].Entry.Title.Text)
		}
		var free []heading
		for hi, h := range k.Decisions[fi].Headings {
			if h.Semantic() && !h.Intro && !k.claimed(h) {
				free = append(free, heading{fi, hi})
				freeTitles = append(freeTitles, h.Title)
			}
		}
		propose := func(line int, h heading) {
			title := k.edit(k.Index.Lines[line].Entry.Title.Span, index.Escape(k.heading(h).Title))
			renames[line] = rename{h, &finding.Fix{Unsafe: true, Edits: []finding.Edit{title}}}
			renamed[h] = line
		}
		pairs := rank.Pairs(titles, freeTitles)
		for _, pair := range pairs {
			propose(lines[pair.Left], free[pair.Right])
		}
		history, known := k.Tree.(corpus.HistoryFS)
		if !known || len(pairs) == len(lines) || len(pairs) == len(free) || asked == maxHistories {
			continue
		}
		asked++
		later := history.RenamedHeadings(k.Decisions[fi].Path)
		for _, line := range lines {
			if _, done := renames[line]; done {
				continue
			}
			key := latest(later, decision.Key(k.Index.Lines[line].Entry.Title.Text))
			at := slices.IndexFunc(free, func(h heading) bool { return k.heading(h).Key == key })
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

// latest follows the renames of a title. One that came back in a circle ends where it
// closes.
func latest(later map[string]string, key string) string {
	for seen := map[string]bool{}; later[key] != "" && !seen[key]; key = later[key] {
		seen[key] = true
	}
	return key
}

// orphansByFile lists the entries without heading that stand in the section of a
// decision file, by the index of that file.
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
