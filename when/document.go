package when

import (
	"bytes"
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
	documents, err := l.concerning(f, status)
	if err != nil {
		return RecordStatus{}, err
	}
	successor, gone := decision.Succession(documents)[f]
	s := RecordStatus{Status: status.Text, Holds: !gone}
	if successor != nil {
		s.Successor = &Related{l.fileQuery(successor.Path), successor.Headings[0].Title, "successor"}
		if e, indexed := l.leadingTo(successor).entries[0]; indexed {
			s.Successor.Command = e.command()
		}
	}
	return s, nil
}

// concerning returns the documents that may say what holds instead of one: all of them if its own status
// says that it does not hold, else it and those of its folder that may replace it. Few have to be
// parsed.
func (l *Library) concerning(f *decision.File, status decision.Status) ([]*decision.File, error) {
	var documents []*decision.File
	if !status.Holds() {
		all, err := l.allFiles()
		for _, other := range all {
			if other.Document {
				documents = append(documents, other)
			}
		}
		return documents, err
	}
	for _, name := range l.folders[f.Section()] {
		if _, parsed := l.files[name]; !parsed {
			src, err := l.read(name)
			if err != nil {
				return nil, err
			}
			if lower := bytes.ToLower(src); !bytes.Contains(lower, []byte("sedes")) && !bytes.Contains(lower, []byte("cedes")) && !bytes.Contains(lower, []byte("replaces")) {
				continue
			}
		}
		other, err := l.file(name)
		if err != nil {
			return nil, err
		}
		documents = append(documents, other)
	}
	return documents, nil
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
func (l *Library) relatedDocuments(f *decision.File) []Related {
	entries := l.bySection[f.Section()]
	at := slices.IndexFunc(entries, func(i int) bool { return f.Headings[0].Is(decision.Key(l.entries[i].Title.Text)) })
	if at < 0 {
		return nil
	}
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
	return related
}
