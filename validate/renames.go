package validate

import (
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/rank"
)

// rename is the heading that an entry with an unknown title seems to mean.
type rename struct {
	heading heading
	fix     *finding.Fix // writes the title of today
}

// findRenames proposes headings for entries that have none. A renamed heading
// leaves an entry without a heading and a heading without an entry in one file;
// they are paired by the words of their titles, see rank.Pairs. The second map is
// the first one inverted: no heading is proposed twice.
func (k *check) findRenames() (map[int]rename, map[heading]int) {
	renames, renamed := map[int]rename{}, map[heading]int{}
	for fi, lines := range k.orphansByFile() {
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
		for _, pair := range rank.Pairs(titles, freeTitles) {
			line, h := lines[pair.Left], free[pair.Right]
			title := k.edit(k.Index.Lines[line].Entry.Title.Span, index.Escape(k.heading(h).Title))
			renames[line] = rename{h, &finding.Fix{Unsafe: true, Edits: []finding.Edit{title}}}
			renamed[h] = line
		}
	}
	return renames, renamed
}

// orphansByFile lists the entries without heading that stand in the section of a
// decision file, by the index of that file.
func (k *check) orphansByFile() map[int][]int {
	orphans := map[int][]int{}
	for _, i := range k.originals {
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
