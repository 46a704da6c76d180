package migrate

import (
	"path"
	"strings"

	"whence/internal/config"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/trigger"
	"whence/validate"
)

// Row is the plan for one line of the index: the new entry, or why there
// is none.
type Row struct {
	Line        int    // of the index, 1-based
	Header      string // title of the heading as it is in the file; "" for no entry
	Operator    string // "when" or "how"
	Trigger     string // without the operator
	Description string // shortened or extended to the allowed number of words
	Source      string // the line as it is in the index
	Why         string // what the user has to know: why there is no entry, or that its heading has another title

	leaves bool // the line is removed without becoming an entry
}

// Kinds of rows.
const (
	Migrated  = "entry"     // becomes an entry
	Unmatched = "unmatched" // has no heading, and stays as it is
	Removed   = "removed"   // has no heading, and is a behavioral rule or repeats a line
)

// Kind returns what becomes of a row: Migrated, Unmatched or Removed.
func (r Row) Kind() string {
	if r.Header != "" {
		return Migrated
	}
	if r.leaves {
		return Removed
	}
	return Unmatched
}

// planner holds the state while rows are planned.
type planner struct {
	*memory.Memory
	config   config.Config
	taken    map[*memory.Heading]int // line number of the entry of each heading that has one
	triggers trigger.Set
}

// plan returns a row for each entry of an old format, in the order of the index.
func plan(m *memory.Memory, c config.Config) []Row {
	entries := legacyEntries(m.Index)
	p := newPlanner(m, c)
	matched := p.match(entries)
	rows := make([]Row, len(entries))
	for _, kept := range []bool{true, false} { // no derived trigger takes the words of one that is kept
		for i, e := range entries {
			if (e.trigger != "") == kept {
				rows[i] = p.row(e, matched[i])
			}
		}
	}
	markLeaving(m.Index, rows)
	return rows
}

func newPlanner(m *memory.Memory, c config.Config) *planner {
	p := &planner{Memory: m, config: c, triggers: trigger.Set{}, taken: map[*memory.Heading]int{}}
	for _, e := range m.Entries {
		p.triggers[e.Key()] = true
		for _, h := range m.Find(e.Section, e.Title.Text) {
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
func (p *planner) row(e legacy, m match) Row {
	line, h := p.Index.Lines[e.line], m.heading
	row := Row{Line: line.Number, Source: p.Index.Text(line), Why: m.why}
	if h == nil {
		return row
	}
	row.Header, row.Operator = h.Title, e.operator
	words := trigger.Words(e.trigger)
	if e.trigger == "" {
		row.Operator, words = trigger.Derive(trigger.Title(h.File, h.Number))
	}
	description := m.reading.description
	fileName := strings.TrimSuffix(path.Base(h.File.Path), path.Ext(h.File.Path))
	row.Trigger, _ = p.triggers.Unique(row.Operator, words, row.Header, description, fileName)
	p.describe(&row, h, description)
	return row
}

// describe sets the description of a row, with the allowed number of words. One that is too long is cut,
// at the end of a clause if enough is left. One that is too short, or missing, gets a phrase of its
// section.
func (p *planner) describe(row *Row, h *memory.Heading, description string) {
	used := validate.CountWords(row.Trigger) + validate.CountWords(row.Header)
	words := strings.Fields(description)
	minWords, maxWords := max(p.config.WordCount.Min-used, 1), max(p.config.WordCount.Max-used, 1)
	switch {
	case len(words) > maxWords:
		words = trigger.Clip(words, minWords, maxWords)
	case len(words) < minWords:
		added := trigger.Describe(h.File, h.Number, minWords-len(words), maxWords-len(words))
		if len(words) > 0 && added != "" {
			words[len(words)-1] = strings.TrimRight(words[len(words)-1], ".,;:") + ";"
		}
		words = append(words, strings.Fields(added)...)
	}
	row.Description = strings.Join(words, " ")
}

// markLeaving marks the rows whose lines leave the index without becoming entries: behavioral rules, which
// agents load with every session, and lines that repeat one that becomes an entry to the letter.
func markLeaving(f *index.File, rows []Row) {
	entered := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		isRule := validate.IsBehavioralRules(f.Sections[f.Lines[r.Line-1].Section].Path)
		if r.Header == "" && (isRule || entered[r.Source]) {
			r.leaves = true
			r.Why = "it repeats another line"
			if isRule {
				r.Why = "a rule that agents load with every session, without a heading in a decision file"
			}
		}
		entered[r.Source] = entered[r.Source] || r.Header != ""
	}
}
