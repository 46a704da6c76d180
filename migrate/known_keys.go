package migrate

import (
	"cmp"
	"slices"
	"strings"

	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/words"
	"whence/validate"
)

// A line of an old index is an entry if it begins with the title of a heading, whatever its form: an item of a list, in
// bold, with any dash, or with nothing after the title.

var (
	listMarks = []string{"- ", "* ", "+ "}
	dashes    = []string{" — ", " – ", " - "}
)

// maxKeyBytes bounds the title that is looked for in a line.
const maxKeyBytes = 1000

// keys returns the ways to read a line as a key and a text, the longest key first: the whole line, and the part before
// each dash.
func keys(line string) (all []reading) {
	text := strings.TrimSpace(line)
	for _, mark := range listMarks {
		text = strings.TrimSpace(strings.TrimPrefix(text, mark))
	}
	if len(text) <= maxKeyBytes {
		all = []reading{{title: text}}
	}
	for at := range words.Beginning(text, maxKeyBytes) {
		for _, dash := range dashes {
			if description, found := strings.CutPrefix(text[at:], dash); found {
				all = append(all, reading{strings.TrimSpace(text[:at]), strings.TrimSpace(description)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b reading) int { return cmp.Compare(len(b.title), len(a.title)) })
	return all
}

// knownReadings returns the readings of a line whose keys are titles of headings, with or without their emphasis marks.
func (p *planner) knownReadings(i int) (known []reading) {
	for _, r := range keys(p.Index.Text(p.Index.Lines[i])) {
		for _, title := range []string{r.title, strings.Trim(r.title, "*_")} {
			isGroup := r.description != "" && len(p.Structural(title)) > 0
			if isGroup || len(p.Find(p.section(i), title)) > 0 {
				known = append(known, reading{title, r.description})
				break
			}
		}
	}
	return known
}

// knownEntries reads the lines that have no old format but a known key. If all headings with that title have entries,
// the line is the author's, and not an entry.
func (p *planner) knownEntries() (entries []legacy) {
	for i, line := range p.Index.Lines {
		if line.Kind != index.Foreign || line.Opaque {
			continue
		}
		readings := slices.DeleteFunc(p.knownReadings(i), func(r reading) bool {
			found := p.Find(p.section(i), r.title)
			isFree := func(h *memory.Heading) bool { return p.taken[h] == 0 }
			return len(found) > 0 && !slices.ContainsFunc(found, isFree) && !validate.IsLegacySection(p.section(i))
		})
		if len(readings) > 0 {
			entries = append(entries, legacy{line: i, operator: "when", readings: readings})
		}
	}
	return entries
}

// rest returns rows for the other lines. In sections of the oldest format, which go, all lines leave the index except
// entries with a heading. Elsewhere, a line that looks like a key and a text stays, since no heading has its key.
func (p *planner) rest(planned []legacy) (rows []migrateRow) {
	isPlanned := map[int]bool{}
	for _, e := range planned {
		isPlanned[e.line] = true
	}
	for i, line := range p.Index.Lines {
		if line.Section < 0 || line.Kind == index.Heading || line.Kind == index.Blank || isPlanned[i] {
			continue
		}
		row := migrateRow{line: line.Number, source: p.Index.Text(line)}
		e, isLegacy := p.EntryAt(i), validate.IsLegacySection(p.section(i))
		switch {
		case isLegacy && strings.TrimSpace(row.source) != "" && e == nil:
			row.why = "its section goes; to keep the line, put it above the first section"
		case isLegacy && e != nil && e.Heading == nil:
			row.why = p.whyNot(e.Title.Text)
		case !isLegacy && line.Kind == index.Foreign && !line.Opaque && slices.ContainsFunc(keys(row.source), func(r reading) bool { return r.description != "" }):
			row.stays, row.why = true, "no heading has its key; if it is a decision, record it with memory-remember decide, and delete it here"
		default:
			continue
		}
		rows = append(rows, row)
	}
	return rows
}
