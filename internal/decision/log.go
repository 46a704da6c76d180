package decision

import (
	"path"
	"slices"
	"strings"
)

// A log holds many decisions of one level. All headings below that level belong to their decision. A file is a log by
// its name, or because two of its sections have chapters such as Context and Decision.

// logNames are the names of files that hold many decisions, without extension, hyphens and underscores.
var logNames = strings.Fields(`decisions decisionlog decisionslog adr adrs architecturedecisions designdecisions
	entscheidungen décisions decisiones decisões decisioni besluiten beslissingen beslutninger beslut решения рішення decyzje 决策 决定 決定`)

// IsLogName reports whether a file has the name of a log. In a folder with such a name, each file is about a subject of
// its own, so agents/decisions/decisions.md does not have one.
func IsLogName(name string) bool {
	isName := func(s string) bool {
		return slices.Contains(logNames, Key(strings.NewReplacer("-", "", "_", "").Replace(s)))
	}
	return isName(strings.TrimSuffix(path.Base(name), path.Ext(name))) && !isName(path.Base(path.Dir(name)))
}

// otherSections are titles of sections of a log that are not decisions.
var otherSections = []string{"contents", "table of contents", "toc", "index", "template", "inhalt", "inhaltsverzeichnis", "vorlage", "sommaire", "índice", "plantilla", "modèle", "indice", "inhoud", "目录", "目次"}

// minLogSections is the number of decisions that make a file a log.
const minLogSections = 2

// joinChapters makes the headings below the decisions of a log part of their text.
func (f *File) joinChapters() {
	level := f.logLevel()
	if level == 0 {
		return
	}
	f.isLog = true
	kept, at := []Heading{}, make([]int, len(f.Headings)) // where each heading is among those that are kept, or -1
	hasH2 := false
	for i, h := range f.Headings {
		if at[i] = -1; h.Level > level || h.Level > 1 && slices.Contains(otherSections, h.Key) {
			continue
		}
		if h.Parent >= 0 {
			h.Parent = at[h.Parent]
		}
		hasH2 = hasH2 || h.Level == 2
		h.Intro = h.Intro && hasH2
		at[i] = len(kept)
		kept = append(kept, h)
	}
	for i, s := range f.Situations {
		if s.Heading >= 0 {
			f.Situations[i].Heading = at[s.Heading]
		}
	}
	f.Headings = kept
}

// IsLog reports whether a Markdown file is a log.
func IsLog(src []byte) bool { return parseAll("", src).logLevel() > 0 }

// logLevel returns the level of the decisions of a log, or 0 if the file is not a log. In a file with the name of a
// log, it is the first level with several headings.
func (f *File) logLevel() int {
	if IsLogName(f.Path) {
		number := map[int]int{}
		for _, h := range f.Headings {
			if !h.Structural() && !slices.Contains(otherSections, h.Key) {
				number[h.Level]++
			}
		}
		for level := 2; level <= 6; level++ {
			if number[level] >= minLogSections {
				return level
			}
		}
	}
	with := map[int]bool{}    // the headings with a chapter of a record
	sections := map[int]int{} // their number by level
	for _, h := range f.Headings {
		if h.Parent < 0 || with[h.Parent] || !IsRecordTitle(strings.Trim(h.Key, "*: ")) {
			continue
		}
		if parent := f.Headings[h.Parent]; parent.Level > 1 && !parent.Structural() {
			with[h.Parent] = true
			sections[parent.Level]++
		}
	}
	for level := 2; level <= 6; level++ {
		if sections[level] >= minLogSections {
			return level
		}
	}
	return 0
}
