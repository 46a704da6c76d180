package migrate

import (
	"slices"
	"strings"

	"whence/internal/config"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/trigger"
	"whence/internal/words"
	"whence/validate"
)

// migrateRow is the plan for one line of the index: its new entry, or why it gets none.
type migrateRow struct {
	line        int    // of the index, 1-based
	header      string // title of the heading as it is in the file; "" for no entry
	operator    string // "when" or "how"
	trigger     string // without the operator
	description string // shortened or extended to the allowed number of words
	source      string // the line as it is in the index
	why         string // what the user has to know: why there is no entry, or that its heading has another title
	stays       bool   // the line is left as it is
}

// Kinds of rows.
const (
	migrated = "entry"   // becomes an entry
	removed  = "removed" // leads nowhere, and is printed: git has the line
	kept     = "kept"    // is a line of the author's
)

// kind returns what becomes of a row.
func (r migrateRow) kind() string {
	switch {
	case r.header != "":
		return migrated
	case r.stays:
		return kept
	}
	return removed
}

// planner holds the state while rows are planned.
type planner struct {
	*memory.Memory
	config   config.Config
	taken    map[*memory.Heading]int // heading with an entry → line number of the entry
	triggers trigger.Set
}

// plan returns a row for each line of an old index that is an entry of an old format or may be taken for one, in the
// order of the index. It returns nil for an index that has no old format.
func plan(m *memory.Memory, c config.Config) []migrateRow {
	p := newPlanner(m, c)
	entries := legacyEntries(m.Index)
	for i, e := range entries {
		if e.trigger == "" {
			entries[i].readings = append(e.readings, p.knownReadings(e.line)...)
		}
	}
	entries = append(entries, p.knownEntries()...)
	slices.SortFunc(entries, func(a, b legacy) int { return a.line - b.line })
	targets := p.match(entries)
	rows := make([]migrateRow, len(entries))
	for _, kept := range []bool{true, false} { // no derived trigger takes the words of one that is kept
		for i, e := range entries {
			if (e.trigger != "") == kept {
				rows[i] = p.row(e, targets[i])
			}
		}
	}
	sayWhyRemoved(m.Index, rows)
	rows = append(rows, p.rest(entries)...)
	if !slices.ContainsFunc(rows, func(r migrateRow) bool { return !r.stays }) {
		return nil
	}
	slices.SortFunc(rows, func(a, b migrateRow) int { return a.line - b.line })
	return rows
}

func newPlanner(m *memory.Memory, c config.Config) *planner {
	p := &planner{Memory: m, config: c, triggers: trigger.Set{}, taken: map[*memory.Heading]int{}}
	for _, e := range m.Entries {
		p.triggers[e.Key()] = true
		found := []*memory.Heading{e.Heading} // may be nil, which is never looked up
		if e.Ambiguous {                      // then it takes them all
			found = m.Find(e.Section, e.Title.Text)
		}
		for _, h := range found {
			p.taken[h] = m.Index.Lines[e.Line].Number
		}
	}
	return p
}

// section returns the path of the section that holds a line.
func (p *planner) section(line int) string {
	return p.Index.Sections[p.Index.Lines[line].Section].Path
}

// row plans one entry.
func (p *planner) row(e legacy, to target) migrateRow {
	line, h := p.Index.Lines[e.line], to.heading
	row := migrateRow{line: line.Number, source: p.Index.Text(line), why: to.why}
	if h == nil {
		return row
	}
	row.header, row.operator = h.Title, e.operator
	own, description := trigger.Words(e.trigger), to.reading.description
	if e.trigger == "" {
		row.operator, own = trigger.Derive(trigger.Title(h.File, h.Number), description, p.config.WordCount.Max-words.Count(row.header))
	}
	row.trigger, _ = p.triggers.Unique(row.operator, own, row.header, description, h.FileName())
	p.describe(&row, h, description)
	return row
}

// describe sets the description of a row, with the allowed number of words. A long one is cut, at the end of a clause
// if enough is left. A short or missing one gets a phrase from its section.
func (p *planner) describe(row *migrateRow, h *memory.Heading, description string) {
	used := words.Count(row.trigger) + words.Count(row.header)
	said, count := strings.Fields(description), words.Count(description)
	minWords, maxWords := max(p.config.WordCount.Min-used, 1), max(p.config.WordCount.Max-used, 1)
	switch {
	case count > maxWords:
		said = trigger.Clip(said, minWords, maxWords)
	case count < minWords:
		added := trigger.Describe(h.File, h.Number, minWords-count, maxWords-count)
		if len(said) > 0 && added != "" {
			said[len(said)-1] = strings.TrimRight(said[len(said)-1], ".,;:") + ";"
		}
		said = append(said, strings.Fields(added)...)
	}
	row.description = strings.Join(said, " ")
}

// sayWhyRemoved explains lines that leave the index for another reason than a missing heading: behavioral rules, which
// agents load with every session, and exact repetitions of a line that becomes an entry.
func sayWhyRemoved(f *index.File, rows []migrateRow) {
	entered := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		switch {
		case r.header != "":
			entered[r.source] = true
		case validate.IsBehavioralRules(f.Sections[f.Lines[r.line-1].Section].Path):
			r.why = "a rule that agents load with every session, without a heading in a decision file"
		case entered[r.source]:
			r.why = "it repeats another line"
		}
	}
}
