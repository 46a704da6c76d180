package when

import (
	"fmt"
	"path"
	"strings"

	"whence/internal/decision"
	"whence/internal/merge"
)

// Answer is a section or a file, and related queries.
type Answer struct {
	Query   string    `json:"query"`
	Kind    QueryKind `json:"kind"`
	Command string    `json:"-"`      // the query for the entry; "" for a section or file
	Title   string    `json:"header"` // of the heading, or the name of the file
	File    string    `json:"file"`   // decision file
	Line    int       `json:"line"`   // 1-based, of the heading; 1 for a file
	Text    string    `json:"text"`   // what is below the heading, without situations
	Related []Related `json:"related"`

	*RecordStatus // of a document; nil for a section
}

// Related is a query for something near an answer.
type Related struct {
	Command  string `json:"command"`  // the query
	Title    string `json:"title"`    // of what it prints
	Relation string `json:"relation"` // "sibling", "child", "parent" or "file"
}

// Resolve answers one query. It never answers with something merely similar: if a trigger or name
// does not exist, the error is a *NotFound.
func (l *Library) Resolve(q Query) (a Answer, err error) {
	switch q.Kind {
	case EntryQuery:
		a, err = l.resolveEntry(q)
	case SectionQuery:
		a, err = l.resolveSection(q)
	case FileQuery:
		a, err = l.resolveFile(q.File)
	}
	a.Query, a.Kind = q.Text, q.Kind
	a.Related = append([]Related{}, a.Related...) // in JSON an array, also if there are none
	return a, err
}

func (l *Library) resolveEntry(q Query) (Answer, error) {
	i := l.find(q)
	if i < 0 {
		e := &NotFound{What: fmt.Sprintf("no trigger %q", q.Trigger), Suggestions: l.Suggest(q.Trigger)}
		if len(e.Suggestions) == 0 {
			e.What += fmt.Sprintf("; nothing is close: all triggers are in %s", l.typed.Path(l.layout.Index))
		}
		return Answer{}, e
	}
	p, err := l.locate(l.entries[i])
	if err != nil {
		return Answer{}, err
	}
	a, err := l.answer(p, l.relatedToEntry(p))
	a.Command = l.entries[i].command()
	return a, err
}

func (l *Library) resolveSection(q Query) (Answer, error) {
	found, err := l.sections(q.Title, q.File)
	if err != nil {
		return Answer{}, err
	}
	if len(found) == 0 && q.Trigger != "" && l.find(q) >= 0 {
		return l.resolveEntry(q)
	}
	if len(found) != 1 {
		return Answer{}, l.noSection(q, found)
	}
	p := found[0]
	return l.answer(p, append(l.entriesIn(p.file, p.heading), l.fileLine(p.file)))
}

// maxNames is the number of sections listed for a missing one.
const maxNames = 10

// noSection returns the error of a title that names no section or several.
func (l *Library) noSection(q Query, found []headingRef) error {
	e := &NotFound{What: fmt.Sprintf("%q names several sections", q.Title)}
	if len(found) == 0 {
		e.What, found = fmt.Sprintf("no section %q", q.Title), l.structuralHeadings(q.File)
	}
	for _, p := range found[:min(len(found), maxNames)] {
		command := l.sectionQuery(p)
		if command == "" { // twice in one file
			command = l.fileQuery(p.file.Path)
		}
		e.Suggestions = append(e.Suggestions, Suggestion{Command: command, Why: p.String()})
	}
	return e
}

// structuralHeadings returns those of all files, or of those whose path ends with a name.
func (l *Library) structuralHeadings(name string) (found []headingRef) {
	for _, f := range l.files {
		for i, h := range f.Headings {
			if h.Structural() && strings.HasSuffix(f.Path, name) {
				found = append(found, headingRef{f, i})
			}
		}
	}
	return found
}

func (l *Library) resolveFile(name string) (Answer, error) {
	f, err := l.named(name)
	if err != nil {
		return Answer{}, err
	}
	if f.Conflicts != nil {
		return Answer{}, &merge.ConflictError{Path: l.typed.Path(f.Path), Block: f.Conflicts[0]}
	}
	a := Answer{Title: f.Path, File: f.Path, Line: 1, Text: f.WithoutSituations(0, len(f.Source)), Related: l.entriesIn(f, -1)}
	return l.withStatus(a, f, true), nil
}

// answer returns the section below a heading, unless it has a conflict.
func (l *Library) answer(p headingRef, related []Related) (Answer, error) {
	head := p.head()
	if head.Disputed {
		b, _ := merge.ConflictTouching(p.file.Conflicts, merge.Span{Start: head.Start, End: head.End})
		return Answer{}, &merge.ConflictError{What: fmt.Sprintf("section %q", head.Title), Path: p.file.Path, Block: b}
	}
	a := Answer{Title: head.Title, File: p.file.Path, Line: head.Line, Text: p.body(), Related: related}
	return l.withStatus(a, p.file, false), nil
}

// maxRelated is the number of related entries beside an answer: those nearest to it.
const maxRelated = 12

// relatedToEntry returns what is near the section of an entry: the entries under the same parent, the
// parent section, and the file. A document has nothing near it.
func (l *Library) relatedToEntry(p headingRef) []Related {
	if p.file.Document {
		return nil
	}
	parent, at := parentSection(p), 0
	var siblings []Related
	for h, head := range p.file.Headings {
		if h == p.heading {
			at = len(siblings)
			continue
		}
		other := headingRef{p.file, h}
		if i, leads := l.leading[other]; leads && parentSection(other) == parent {
			siblings = append(siblings, Related{l.entries[i].command(), head.Title, "sibling"})
		}
	}
	start := max(0, min(at-maxRelated/2, len(siblings)-maxRelated))
	related := siblings[start:min(len(siblings), start+maxRelated)]
	if parent >= 0 {
		if command := l.sectionQuery(headingRef{p.file, parent}); command != "" {
			related = append(related, Related{command, "Full parent section", "parent"})
		}
	}
	return append(related, l.fileLine(p.file))
}

// parentSection returns the heading of level two or deeper that contains a heading, or -1.
func parentSection(p headingRef) int {
	parent := p.head().Parent
	if parent >= 0 && p.file.Headings[parent].Level < 2 {
		return -1
	}
	return parent
}

func (l *Library) fileLine(f *decision.File) Related {
	return Related{l.fileQuery(f.Path), "Full " + path.Base(f.Path) + " file", "file"}
}

// entriesIn returns the entries that lead into a section of a file, or anywhere into it if section
// is -1, in the order of headings.
func (l *Library) entriesIn(f *decision.File, section int) []Related {
	var related []Related
	for h, head := range f.Headings {
		i, indexed := l.leading[headingRef{f, h}]
		inside := section < 0 || head.Start >= f.Headings[section].Start && head.End <= f.Headings[section].End
		if indexed && inside && h != section {
			related = append(related, Related{l.entries[i].command(), head.Title, "child"})
		}
	}
	return related
}
