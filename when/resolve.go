package when

import (
	"fmt"
	"path"

	"whence/internal/decision"
	"whence/internal/memory"
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

	*RecordStatus // nil for a section that states none
}

// Related is a query for something near an answer.
type Related struct {
	Command  string `json:"command"`  // the query
	Title    string `json:"title"`    // of what it prints
	Relation string `json:"relation"` // "sibling", "child", "parent" or "file"
}

// Resolve answers one query. It never answers with something merely similar: if a trigger or name
// does not exist, the error is a *NotFound.
func (l *Lookup) Resolve(q Query) (a Answer, err error) {
	switch q.Kind {
	case EntryQuery:
		a, err = l.resolveEntry(q)
	case SectionQuery:
		a, err = l.resolveSection(q)
	case FileQuery:
		a, err = l.resolveFile(q.File)
	}
	a.Query, a.Kind = q.Text, q.Kind
	a.Related = append([]Related{}, a.Related...) // an empty JSON array rather than null
	return a, err
}

func (l *Lookup) resolveEntry(q Query) (Answer, error) {
	found := l.find(q)
	if found == nil {
		found = l.findTitle(q)
	}
	if found == nil {
		return Answer{}, l.NoTrigger(q.Trigger)
	}
	h, err := l.locate(found)
	if err != nil {
		return Answer{}, err
	}
	a, err := l.answer(h, l.relatedToEntry(h))
	a.Command = found.Query()
	return a, err
}

func (l *Lookup) resolveSection(q Query) (Answer, error) {
	found, err := l.sections(q.Title, q.File)
	if err != nil {
		return Answer{}, err
	}
	if len(found) == 0 && q.Trigger != "" && l.find(q) != nil {
		return l.resolveEntry(q)
	}
	if len(found) != 1 {
		return Answer{}, l.noSection(q, found)
	}
	h := found[0]
	return l.answer(h, append(l.entriesIn(h.File, h), l.fileLine(h.File)))
}

func (l *Lookup) resolveFile(name string) (Answer, error) {
	f, err := l.named(name)
	if err != nil {
		return Answer{}, err
	}
	if f.Conflicts != nil {
		return Answer{}, &merge.ConflictError{Path: l.typed.Path(f.Path), Block: f.Conflicts[0]}
	}
	a := Answer{Title: f.Path, File: f.Path, Line: 1, Text: f.WithoutSituations(0, len(f.Source)), Related: l.entriesIn(f, nil)}
	if !f.Document {
		return a, nil
	}
	return l.withStatus(a, l.HeadingsOf(f)[0], true), nil
}

// answer returns the section below a heading. It is an error if that has a conflict.
func (l *Lookup) answer(h *memory.Heading, related []Related) (Answer, error) {
	if h.Disputed {
		b, _ := merge.ConflictTouching(h.File.Conflicts, merge.Span{Start: h.Start, End: h.End})
		return Answer{}, &merge.ConflictError{What: fmt.Sprintf("section %q", h.Title), Path: h.File.Path, Block: b}
	}
	a := Answer{Title: h.Title, File: h.File.Path, Line: h.Line, Text: h.Text(), Related: related}
	return l.withStatus(a, h, false), nil
}

// maxRelated is the maximum number of related entries in an answer: those nearest to it.
const maxRelated = 12

// relatedToEntry returns what is near the section of an entry: the entries under the same parent, or else those of the
// same file, the parent section, and the file. A document has nothing near it.
func (l *Lookup) relatedToEntry(h *memory.Heading) []Related {
	if h.File.Document {
		return nil
	}
	parent := parentSection(h)
	related := l.siblings(h, func(other *memory.Heading) bool { return parentSection(other) == parent })
	if len(related) == 0 {
		related = l.siblings(h, func(*memory.Heading) bool { return true })
	}
	if parent != nil {
		if command := l.sectionQuery(parent); command != "" {
			related = append(related, Related{command, "Full parent section", "parent"})
		}
	}
	return append(related, l.fileLine(h.File))
}

// siblings returns the entries of a heading's file for which isNear is true: at most maxRelated, those around the
// heading.
func (l *Lookup) siblings(h *memory.Heading, isNear func(*memory.Heading) bool) []Related {
	at := 0
	var all []Related
	for _, other := range l.HeadingsOf(h.File) {
		if other == h {
			at = len(all)
		} else if len(other.Entries) > 0 && isNear(other) {
			all = append(all, Related{other.Entries[0].Query(), other.Title, "sibling"})
		}
	}
	start := max(0, min(at-maxRelated/2, len(all)-maxRelated))
	return all[start:min(len(all), start+maxRelated)]
}

// parentSection returns the heading of level two or deeper that contains a heading, or nil.
func parentSection(h *memory.Heading) *memory.Heading {
	if h.Parent != nil && h.Parent.Level < 2 {
		return nil
	}
	return h.Parent
}

func (l *Lookup) fileLine(f *decision.File) Related {
	return Related{l.fileQuery(f.Path), "Full " + path.Base(f.Path) + " file", "file"}
}

// entriesIn returns the entries that lead into a section of a file, or anywhere into it if section
// is nil, in the order of headings.
func (l *Lookup) entriesIn(f *decision.File, section *memory.Heading) []Related {
	var related []Related
	for _, h := range l.HeadingsOf(f) {
		inside := section == nil || h.Start >= section.Start && h.End <= section.End
		if len(h.Entries) > 0 && inside && h != section {
			related = append(related, Related{h.Entries[0].Query(), h.Title, "child"})
		}
	}
	return related
}
