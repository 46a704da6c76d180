package migrate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"whence/internal/inert"
	"whence/internal/memory"
	"whence/internal/shell"
	"whence/internal/words"
	"whence/validate"
)

// target is the heading that an entry of an old format leads to.
type target struct {
	heading *memory.Heading // nil if there is none
	reading reading         // with the title of heading, or else the likeliest
	why     string          // why there is no heading, or that it has another title
}

// match finds the heading of each entry: by its title, ignoring case, or else by words, among the headings that are
// left. No two entries get the same heading.
func (p *planner) match(entries []legacy) []target {
	targets := make([]target, len(entries))
	byFile := map[string][]int{}
	for i, e := range entries {
		targets[i] = p.exactMatch(e)
		if targets[i].heading != nil || targets[i].why != "" {
			continue
		}
		file := p.section(e.line)
		if p.File(file) == nil {
			file = "" // any file
		}
		byFile[file] = append(byFile[file], i)
	}
	for _, file := range slices.Backward(slices.Sorted(maps.Keys(byFile))) { // "", any file, comes last
		p.matchWords(entries, targets, byFile[file], file)
	}
	for i := range targets {
		if targets[i].heading == nil && targets[i].why == "" {
			targets[i].why = p.whyNot(targets[i].reading.title)
		}
	}
	return targets
}

// exactMatch looks up the titles that a line may have, first in the file of its section. If other entries have all
// headings with these titles, it returns only a reason.
func (p *planner) exactMatch(e legacy) target {
	none := target{reading: e.readings[0]}
	for _, r := range e.readings {
		for _, h := range p.Find(p.section(e.line), r.title) {
			if p.taken[h] == 0 {
				p.taken[h] = p.Index.Lines[e.line].Number
				return target{heading: h, reading: r}
			}
			none.why = fmt.Sprintf("line %d leads to the heading %q already", p.taken[h], h.Title)
		}
	}
	return none
}

// matchWords pairs entries with headings of a file (any if it is "") that have no entry yet, by the words of their
// titles. A pair can leave another entry a single choice, so this repeats until it finds nothing new.
func (p *planner) matchWords(entries []legacy, targets []target, members []int, file string) {
	for {
		var titles, freeTitles []string
		for _, i := range members {
			titles = append(titles, entries[i].readings[0].title)
		}
		free := p.free(file)
		for _, h := range free {
			freeTitles = append(freeTitles, h.Title)
		}
		pairs := words.Pairs(titles, freeTitles)
		if len(pairs) == 0 {
			return
		}
		for _, pair := range pairs {
			t, h := &targets[members[pair.Left]], free[pair.Right]
			p.taken[h] = p.Index.Lines[entries[members[pair.Left]].line].Number
			t.heading, t.why = h, fmt.Sprintf("matched to the heading %q by the words of its title", h.Title)
		}
		members = slices.DeleteFunc(slices.Clone(members), func(i int) bool { return targets[i].heading != nil })
	}
}

// free lists the headings of a file (any if it is "") without an entry.
func (p *planner) free(file string) []*memory.Heading {
	var free []*memory.Heading
	for _, h := range p.Headings {
		if h.Semantic() && p.taken[h] == 0 && (file == "" || h.File.Path == file) && !h.Intro {
			free = append(free, h)
		}
	}
	return free
}

// maxCandidates is the number of headings suggested for an entry without one.
const maxCandidates = 2

// minOverlap is the share of common words below which a heading is not suggested.
const minOverlap = 0.2

// whyNot says that no heading has a title, lists those that share most words with it, and says what to do.
func (p *planner) whyNot(title string) string {
	if groups := p.Structural(title); len(groups) > 0 {
		return fmt.Sprintf("%q (%s:%d) only groups other headings, which have entries of their own", title, inert.Path(groups[0].File.Path), groups[0].Line)
	}
	near := validate.Nearest(p.Memory, title, minOverlap)
	var names []string
	for _, h := range near[:min(len(near), maxCandidates)] {
		names = append(names, fmt.Sprintf("%q (%s:%d)", h.Title, inert.Path(h.File.Path), h.Line))
	}
	why := fmt.Sprintf("no heading %q", title)
	if len(names) > 0 {
		why += "; candidates: " + strings.Join(names, ", ")
	}
	return why + "; to keep it, record it: " + p.config.Typed.Command("memory-remember decide "+shell.Word(title)+" --text 'WHAT, AND WHY'")
}
