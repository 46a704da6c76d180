package migrate

import (
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/parallel"
	"whence/internal/trigger"
	"whence/validate"
)

// Row is the plan for one line of the index: the new entry, or why there
// is none.
type Row struct {
	Line        int     `json:"-"`           // of the index, 1-based
	File        string  `json:"file"`        // decision file that holds the heading; "" for no entry
	Header      string  `json:"header"`      // title of the heading as it is in the file; "" for no entry
	Operator    string  `json:"operator"`    // "when" or "how"
	Trigger     string  `json:"trigger"`     // without the operator
	Description string  `json:"description"` // shortened or extended to the allowed number of words
	Why         string  `json:"why"`         // what was derived, and by which rule
	Confidence  float64 `json:"confidence"`  // of the heading or of the trigger, whichever is less; 0 for no entry
	Source      string  `json:"source"`      // the line as it is in the index
}

// Plan is the migration of one index, a row for each entry of an old format, in
// the order of the index.
type Plan struct{ Rows []Row }

// Kinds of rows.
const (
	Migrated  = "entry"     // becomes an entry
	Unmatched = "unmatched" // its heading is not known
	Removed   = "removed"   // was among the behavioral rules and has no heading, or repeats a line
)

// Kind returns what becomes of a row: Migrated, Unmatched or Removed.
func (r Row) Kind() string {
	switch {
	case r.Header != "":
		return Migrated
	case strings.HasPrefix(r.Why, Removed):
		return Removed
	}
	return Unmatched
}

// New plans the migration of a tree. Progress, if not nil, is called with the
// number of entries done and of all.
func New(tree fs.FS, c config.Config, progress func(done, all int)) (Plan, error) {
	m, err := validate.Load(tree, c)
	if err != nil {
		return Plan{}, err
	}
	return plan(m, c, progress), nil
}

// planner holds the state while rows are planned.
type planner struct {
	*corpus.Corpus
	config   config.Config
	headings []heading
	joined   *corpus.Joined
	at       map[corpus.Place]int // the indexes into headings
	taken    []int                // line number of the entry of each heading, or 0
	triggers trigger.Set
}

// heading is a semantic heading of a decision file.
type heading struct {
	file  *decision.File
	index int
}

func (h heading) title() string { return h.file.Headings[h.index].Title }

func (h heading) position() string {
	return fmt.Sprintf("%s:%d", h.file.Path, h.file.Headings[h.index].Line)
}

func plan(m *corpus.Corpus, c config.Config, progress func(done, all int)) Plan {
	entries := legacyEntries(m.Index)
	if len(entries) == 0 {
		return Plan{}
	}
	p := newPlanner(m, c)
	matched := p.match(entries)
	named := make([]naming, len(entries))
	parallel.For(len(entries), func(i int) {
		if matched[i].heading >= 0 {
			named[i] = p.propose(entries[i], matched[i])
		}
	})
	for _, kept := range []bool{true, false} { // no derived trigger takes the words of one that is kept
		for i, e := range entries {
			if matched[i].heading >= 0 && (e.trigger != "") == kept {
				p.makeUnique(&named[i], e, matched[i])
			}
		}
	}
	rows := make([]Row, len(entries))
	var counting sync.Mutex
	done := 0
	parallel.For(len(entries), func(i int) {
		rows[i] = p.row(entries[i], matched[i], named[i])
		if progress != nil {
			counting.Lock()
			defer counting.Unlock()
			done++
			progress(done, len(entries))
		}
	})
	return Plan{rows}
}

func newPlanner(m *corpus.Corpus, c config.Config) *planner {
	p := &planner{Corpus: m, config: c, triggers: trigger.Set{}, at: map[corpus.Place]int{}}
	for fi, file := range m.Decisions {
		for i, h := range file.Headings {
			if h.Semantic() {
				p.at[corpus.Place{File: fi, Heading: i}] = len(p.headings)
				p.headings = append(p.headings, heading{file, i})
			}
		}
	}
	p.taken = make([]int, len(p.headings))
	p.joined = corpus.Join(m.Index, m.Decisions)
	for i, line := range m.Index.Lines {
		if line.Kind == index.EntryLine {
			p.triggers[line.Entry.Key()] = true
			for _, at := range p.joined.Find(p.section(i), line.Entry.Title.Text) {
				p.taken[p.at[at]] = line.Number
			}
		}
	}
	return p
}

// row plans one entry. Without a heading, the row has the reason.
func (p *planner) row(e legacy, m match, n naming) Row {
	line := p.Index.Lines[e.line]
	row := Row{Line: line.Number, Operator: e.operator, Source: p.Index.Text(line), Confidence: m.confidence}
	if m.heading < 0 {
		row.Trigger, row.Description = index.NormalizeTrigger(e.trigger), e.readings[m.reading].description
		row.Why = p.whyNot(e, m)
		return row
	}
	h := p.headings[m.heading]
	row.File, row.Header = h.file.Path, h.title()
	row.Operator, row.Trigger, row.Why = n.operator, strings.Join(n.words, " "), m.why+"; "+n.why
	row.Confidence = min(m.confidence, n.confidence)
	p.describe(&row, h, e.readings[m.reading].description)
	return row
}

// section returns the path of the section that holds a line.
func (p *planner) section(line int) string {
	return p.Index.Sections[p.Index.Lines[line].Section].Path
}
