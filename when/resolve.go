package when

import (
	"fmt"
	"strings"

	"whence/internal/decision"
	"whence/internal/merge"
)

// Answer is a section or a file, and related queries.
type Answer struct {
	Query   Query
	Command string // the query for the entry; "" for a section or file
	Title   string // of the heading, or the name of the file
	File    string // decision file
	Line    int    // 1-based, of the heading; 1 for a file
	Text    string // what is below the heading, without situations
	Related []Related

	RecordStatus *RecordStatus // of a document; nil for a section
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
	a.Query = q
	if err != nil {
		return a, err
	}
	return l.withStatus(a)
}

func (l *Library) resolveEntry(q Query) (Answer, error) {
	i := l.find(q)
	if i < 0 {
		e := &NotFound{What: fmt.Sprintf("no trigger %q", q.Trigger), Suggestions: l.Suggest(q.Trigger)}
		if len(e.Suggestions) == 0 {
			e.What += fmt.Sprintf("; nothing is close: all triggers are in %s", l.typed.Path(l.indexPath))
		}
		return Answer{}, e
	}
	e := l.entries[i]
	p, err := l.locate(e)
	if err != nil {
		return Answer{}, err
	}
	related, err := l.relatedToEntry(p)
	if err != nil {
		return Answer{}, err
	}
	a, err := p.answer(related)
	a.Command = e.command()
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
	return p.answer(append(l.entriesIn(p.file, p.heading), l.fileLine(p.file, 0)))
}

// maxNames is the number of sections listed for a missing one.
const maxNames = 10

// noSection returns the error of a title that names no section or several.
func (l *Library) noSection(q Query, found []headingRef) error {
	e := &NotFound{What: fmt.Sprintf("no section %q", q.Title)}
	if len(found) > 1 {
		e.What = fmt.Sprintf("%q names several sections", q.Title)
	} else {
		files, err := l.allFiles()
		if err != nil {
			return err
		}
		found = structuralHeadings(files, q.File)
	}
	for _, p := range found[:min(len(found), maxNames)] {
		command, err := l.sectionQuery(p)
		if err != nil {
			return err
		}
		if command == "" { // twice in one file
			command = l.fileQuery(p.file.Path)
		}
		e.Suggestions = append(e.Suggestions, Suggestion{Command: command, Why: p.String()})
	}
	return e
}

func structuralHeadings(files []*decision.File, name string) []headingRef {
	var found []headingRef
	for _, f := range files {
		for i, h := range f.Headings {
			if h.Structural() && (name == "" || strings.HasSuffix(f.Path, name)) {
				found = append(found, headingRef{f, i})
			}
		}
	}
	return found
}

func (l *Library) resolveFile(name string) (Answer, error) {
	path, err := l.named(name)
	if err != nil {
		return Answer{}, err
	}
	f, err := l.file(path)
	if err != nil {
		return Answer{}, err
	}
	if f.Conflicts != nil {
		return Answer{}, &merge.ConflictError{Path: l.typed.Path(path), Block: f.Conflicts[0]}
	}
	return Answer{Title: path, File: path, Line: 1, Text: f.WithoutSituations(0, len(f.Source)), Related: l.entriesIn(f, -1)}, nil
}
