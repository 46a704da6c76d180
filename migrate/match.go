package migrate

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"

	"whence/internal/decision"
	"whence/internal/rank"
	"whence/validate"
)

// match is the heading that an entry leads to.
type match struct {
	heading    heading // without a file if there is none
	reading    reading // the one that has its title, or the likeliest
	confidence float64
	why        string
	duplicate  int // line number of the entry that has the heading already, or 0
}

// matchedByWords begins the why of a row whose heading has another title.
const matchedByWords = "heading by words"

// maxWordConfidence bounds the confidence of a match by words: only equal titles are
// certain.
const maxWordConfidence = 0.99

// match finds the heading of each entry: by its title, ignoring case; then, among the headings
// that are left, by words. No two entries get the same heading.
func (p *planner) match(entries []legacy) []match {
	matches := make([]match, len(entries))
	byFile := map[string][]int{}
	for i, e := range entries {
		matches[i] = p.exactMatch(e)
		if m := matches[i]; m.heading.file != nil {
			p.taken[m.heading] = p.Index.Lines[e.line].Number
		} else if m.duplicate == 0 {
			file := p.section(e.line)
			if !slices.ContainsFunc(p.Decisions, func(f *decision.File) bool { return f.Path == file }) {
				file = "" // any file
			}
			byFile[file] = append(byFile[file], i)
		}
	}
	for _, file := range slices.Backward(slices.Sorted(maps.Keys(byFile))) { // "", any file, comes last
		p.matchWords(entries, matches, byFile[file], file)
	}
	return matches
}

// exactMatch looks up the titles that a line may have, first in the file of its section.
func (p *planner) exactMatch(e legacy) match {
	none := match{reading: e.readings[0]}
	for _, r := range e.readings {
		for _, h := range p.find(e.line, r.title) {
			if p.taken[h] == 0 {
				return match{heading: h, reading: r, confidence: 1, why: "heading by its title"}
			}
			none.duplicate = p.taken[h]
		}
	}
	return none
}

// matchWords pairs entries with headings of a file (any if it is "") that have no entry yet, by the
// words of their titles. A pair can leave another one as the only choice, so it repeats until
// nothing new is found.
func (p *planner) matchWords(entries []legacy, matches []match, members []int, file string) {
	for {
		var titles, freeTitles []string
		for _, i := range members {
			titles = append(titles, entries[i].readings[0].title)
		}
		free := p.free(file)
		for _, h := range free {
			freeTitles = append(freeTitles, h.title())
		}
		pairs := rank.Pairs(titles, freeTitles)
		if len(pairs) == 0 {
			return
		}
		for _, pair := range pairs {
			i, h := members[pair.Left], free[pair.Right]
			p.taken[h] = p.Index.Lines[entries[i].line].Number
			matches[i] = match{
				heading:    h,
				reading:    matches[i].reading,
				confidence: math.Min(math.Round(pair.Overlap*100)/100, maxWordConfidence),
				why:        fmt.Sprintf(matchedByWords+": %q shares %s", titles[pair.Left], sharedWords(titles[pair.Left], freeTitles[pair.Right])),
			}
		}
		members = slices.DeleteFunc(slices.Clone(members), func(i int) bool { return matches[i].heading.file != nil })
	}
}

// free lists the headings of a file (any if it is "") without an entry.
func (p *planner) free(file string) []heading {
	var free []heading
	for _, h := range p.headings {
		if p.taken[h] == 0 && (file == "" || h.file.Path == file) && !h.file.Headings[h.index].Intro {
			free = append(free, h)
		}
	}
	return free
}

// sharedWords lists the words that two titles have in common.
func sharedWords(a, b string) string {
	shared, other := rank.Words(a), rank.Words(b)
	maps.DeleteFunc(shared, func(w string, _ bool) bool { return !other[w] })
	return strings.Join(slices.Sorted(maps.Keys(shared)), ", ")
}

// maxCandidates is the number of headings suggested for an entry without one.
const maxCandidates = 2

// minOverlap is the share of common words below which a heading is not suggested.
const minOverlap = 0.2

// whyNot explains why an entry has no heading, and lists the nearest ones.
func (p *planner) whyNot(e legacy, m match) string {
	title := m.reading.title
	kind, reason := Unmatched, fmt.Sprintf("no heading %q", title)
	switch structural := p.structural(title); {
	case m.duplicate != 0:
		reason = fmt.Sprintf("line %d leads to the heading %q already", m.duplicate, title)
		if p.Index.Text(p.Index.Lines[e.line]) == p.Index.Text(p.Index.Lines[m.duplicate-1]) {
			kind = Removed
			reason = fmt.Sprintf("line %d is the same to the letter", m.duplicate)
		}
	case structural != "":
		reason = fmt.Sprintf("%q is a structural heading (%s), which holds nothing itself", title, structural)
	case validate.IsBehavioralRules(p.section(e.line)):
		kind, reason = Removed, "a rule that is loaded with every session, without a heading in a decision file"
	}
	text := kind + ": " + reason
	if near := p.near(title); near != "" && kind == Unmatched {
		text += "; candidates: " + near
	}
	return text
}

// structural returns the position of the structural heading with a title, or "".
func (p *planner) structural(title string) string {
	key := strings.TrimLeft(decision.Key(title), ".")
	for _, file := range p.Decisions {
		for i, h := range file.Headings {
			if h.Structural() && strings.TrimLeft(h.Key, ".") == key {
				return heading{file, i}.position()
			}
		}
	}
	return ""
}

// near lists the headings whose titles share most words with a title.
func (p *planner) near(title string) string {
	type scored struct {
		heading
		overlap float64
	}
	var all []scored
	words := rank.Words(title)
	for _, h := range p.headings {
		if overlap := rank.Overlap(words, rank.Words(h.title())); overlap >= minOverlap {
			all = append(all, scored{h, overlap})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].overlap > all[j].overlap })
	var names []string
	for _, s := range all[:min(len(all), maxCandidates)] {
		names = append(names, fmt.Sprintf("%q (%s, %.2f)", s.title(), s.position(), s.overlap))
	}
	return strings.Join(names, ", ")
}
