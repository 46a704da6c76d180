package when

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/decision"
	"whence/internal/text"
)

// RecordStatus is the status of a document, and what holds in its place.
type RecordStatus struct {
	Status    string // as the document states it; "" if it states none, or for a section
	Holds     bool
	Successor *Related // the query for what holds instead, or nil
}

// recordStatus returns the status of a document among the others.
func (l *Library) recordStatus(f *decision.File) (RecordStatus, error) {
	status := f.Status()
	documents, err := l.concerning(f)
	if err != nil {
		return RecordStatus{}, err
	}
	successor, gone := decision.Succession(documents)[f]
	s := RecordStatus{Status: status.Text, Holds: !gone}
	if successor == nil {
		return s, nil
	}
	e, _, found, err := l.entryOf(successor)
	if !found {
		e = l.nameAsEntry(successor)
	}
	s.Successor = &Related{e.command(), successor.Headings[0].Title, "successor"}
	return s, err
}

// maxAsked is the number of documents of a folder up to which each look-up asks the others what they
// supersede. To read 100 takes 2 ms. In larger folders only the document itself is asked, and recall,
// which reads all when they change, still knows.
const maxAsked = 100

// concerning returns a document and those that may say what holds instead of it.
func (l *Library) concerning(f *decision.File) ([]*decision.File, error) {
	documents := []*decision.File{f}
	add := func(name string) error {
		other, err := l.file(name)
		if err == nil && other.Document && !slices.Contains(documents, other) {
			documents = append(documents, other)
		}
		return err
	}
	if folder := l.folders[f.Section()]; len(folder) <= maxAsked {
		for _, name := range folder {
			if mentions, err := l.mentionsOther(name); err != nil {
				return nil, err
			} else if !mentions {
				continue
			}
			if err := add(name); err != nil {
				return nil, err
			}
		}
	}
	records := decision.NewRecords(l.paths)
	for i := 0; i < len(documents); i++ {
		for _, successor := range documents[i].Status().Successors {
			if name := records.Named(documents[i].Path, successor); name != "" {
				if err := add(name); err != nil {
					return nil, err
				}
			}
		}
	}
	return documents, nil
}

// mentionsOther reports whether a file may say that it supersedes another.
func (l *Library) mentionsOther(name string) (bool, error) {
	if _, parsed := l.files[name]; parsed {
		return true, nil
	}
	src, err := l.read(name)
	return decision.MaySupersede(src), err
}

// line returns what is printed above the text of a document: its status, or what to read instead of
// it; "" if it states none.
func (s RecordStatus) line() string {
	status := s.Status
	if lines := text.Wrap(status, maxStatusChars); len(lines) > 1 {
		status = lines[0] + " …"
	}
	switch {
	case s.Holds && s.Status == "":
		return ""
	case s.Holds:
		return "Status: " + status
	case s.Successor != nil:
		return fmt.Sprintf("Superseded by %s  (%s): read that instead.", s.Successor.Command, s.Successor.Title)
	}
	return "Status: " + strings.TrimSuffix(status, ".") + ". It does not hold."
}

// maxStatusChars bounds the status in the line above a document.
const maxStatusChars = 200

// withStatus adds the status of a document to an answer, and a line about it above the text.
func (l *Library) withStatus(a Answer) (Answer, error) {
	f := l.files[a.File]
	if f == nil || !f.Document {
		return a, nil
	}
	s, err := l.recordStatus(f)
	if err != nil {
		return a, err
	}
	a.RecordStatus = &s
	if line := s.line(); line != "" {
		a.Text = line + "\n\n" + strings.TrimLeft(a.Text, "\r\n")
	}
	return a, nil
}

// relatedDocuments returns the entries beside that of a document in the index.
func (l *Library) relatedDocuments(f *decision.File) ([]Related, error) {
	_, at, found, err := l.entryOf(f)
	if !found {
		return nil, err
	}
	entries := l.bySection[f.Section()]
	order := make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	near, _ := nearest(order, at)
	var related []Related
	for _, n := range near {
		e := l.entries[entries[n]]
		related = append(related, Related{e.command(), e.Title.Text, "sibling"})
	}
	return related, nil
}
