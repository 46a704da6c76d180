package when

import (
	"fmt"
	"strings"

	"whence/internal/decision"
	"whence/internal/text"
)

// RecordStatus is the status of a document, and what holds in its place.
type RecordStatus struct {
	Status    string   `json:"status"` // as the document states it; "" if it states none
	Holds     bool     `json:"holds"`
	Successor *Related `json:"successor"` // the query for what holds instead, or nil
}

// withStatus adds the status of a document to an answer, and a line about it above the text.
func (l *Library) withStatus(a Answer, f *decision.File) Answer {
	if !f.Document {
		return a
	}
	successor, gone := decision.Succession(l.documents())[f]
	s := RecordStatus{Status: f.Status().Text, Holds: !gone}
	if successor != nil {
		s.Successor = &Related{l.entryOf(successor).command(), successor.Headings[0].Title, "successor"}
	}
	a.RecordStatus = &s
	if line := s.line(); line != "" {
		a.Text = line + "\n\n" + strings.TrimLeft(a.Text, "\r\n")
	}
	return a
}

// documents returns the decision files that are one decision each.
func (l *Library) documents() (documents []*decision.File) {
	for _, f := range l.files {
		if f.Document {
			documents = append(documents, f)
		}
	}
	return documents
}

// entryOf returns the entry that leads to a document. If there is none, its trigger is the query for the
// file.
func (l *Library) entryOf(f *decision.File) entry {
	target := headingRef{f, 0}
	if i, found := l.leading[target]; found {
		return l.entries[i]
	}
	e := entry{section: f.Section(), target: target}
	e.Operator, e.Trigger.Text, e.Title.Text = "when", strings.TrimPrefix(l.fileQuery(f.Path), "/when "), f.Headings[0].Title
	return e
}

// maxStatusChars bounds the status in the line above a document.
const maxStatusChars = 200

// line returns what is printed above the text of a document: its status, or what to read instead of
// it; "" if it states none.
func (s RecordStatus) line() string {
	if s.Successor != nil {
		return fmt.Sprintf("Superseded by %s  (%s): read that instead.", s.Successor.Command, s.Successor.Title)
	}
	status := s.Status
	if lines := text.Wrap(status, maxStatusChars); len(lines) > 1 {
		status = lines[0] + " …"
	}
	if !s.Holds {
		return "Status: " + strings.TrimSuffix(status, ".") + ". It does not hold."
	}
	if status == "" {
		return ""
	}
	return "Status: " + status
}
