package when

import (
	"fmt"
	"strings"

	"whence/internal/decision"
	"whence/internal/memory"
	"whence/internal/words"
)

// RecordStatus is the status of a document, and what holds in its place.
type RecordStatus struct {
	Status    string   `json:"status"` // as the document states it; "" if it states none
	Holds     bool     `json:"holds"`
	Successor *Related `json:"successor"` // the query for what holds instead, or nil
}

// withStatus adds the status of a document to an answer, and a line about it above the text, unless the text
// says it.
func (l *Lookup) withStatus(a Answer, f *decision.File, hasFrontMatter bool) Answer {
	if !f.Document {
		return a
	}
	h := l.HeadingsOf(f)[0]
	s := RecordStatus{Status: f.Status().Text, Holds: !h.Gone}
	if h.Successor != nil {
		s.Successor = &Related{l.queryFor(h.Successor), h.Successor.Title, "successor"}
	}
	a.RecordStatus = &s
	isStated := hasFrontMatter || decision.FrontMatter(f.Source)["status"] == ""
	if line := s.line(isStated); line != "" {
		a.Text = line + "\n\n" + strings.TrimLeft(a.Text, "\r\n")
	}
	return a
}

// queryFor returns the query that prints a document: its first entry's, or the one for the file if there is none.
func (l *Lookup) queryFor(h *memory.Heading) string {
	if len(h.Entries) > 0 {
		return h.Entries[0].Query()
	}
	return l.fileQuery(h.File.Path)
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
		parts = append(parts, "Status: "+strings.TrimSuffix(words.Clip(s.Status, maxStatusChars), "."))
	}
	if !s.Holds {
		parts = append(parts, "This decision does not hold.")
	}
	return strings.Join(parts, ". ")
}
