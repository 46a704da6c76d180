package when

import (
	"fmt"
	"strings"

	"whence/internal/decision"
	"whence/internal/dispatch"
)

// RecordStatus is the status of a document, and what holds in its place.
type RecordStatus struct {
	Status    string   `json:"status"` // as the document states it; "" if it states none
	Holds     bool     `json:"holds"`
	Successor *Related `json:"successor"` // the query for what holds instead, or nil
}

// withStatus adds the status of a document to an answer, and a line about it above the text, unless the text
// says it.
func (l *Library) withStatus(a Answer, f *decision.File, hasFrontMatter bool) Answer {
	if !f.Document {
		return a
	}
	successor, gone := decision.Succession(l.documents())[f]
	s := RecordStatus{Status: f.Status().Text, Holds: !gone}
	if successor != nil {
		s.Successor = &Related{l.entryOf(successor).command(), successor.Headings[0].Title, "successor"}
	}
	a.RecordStatus = &s
	isStated := hasFrontMatter || decision.FrontMatter(f.Source)["status"] == ""
	if line := s.line(isStated); line != "" {
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

// line returns what is printed above the text of a document, which may state its status: what to read instead
// of it, that it does not hold, or the status; "" if there is nothing to say.
func (s RecordStatus) line(isStated bool) string {
	if s.Successor != nil {
		return fmt.Sprintf("Superseded by %s  (%s): read that instead.", s.Successor.Command, s.Successor.Title)
	}
	var parts []string
	if !isStated {
		parts = append(parts, "Status: "+strings.TrimSuffix(dispatch.Clip(s.Status, maxStatusChars), "."))
	}
	if !s.Holds {
		parts = append(parts, "This decision does not hold.")
	}
	return strings.Join(parts, ". ")
}
