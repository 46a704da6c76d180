package when

import (
	"fmt"
	"strings"

	"whence/internal/decision"
	"whence/internal/memory"
	"whence/internal/words"
)

// RecordStatus is the status of a decision, and what holds in its place.
type RecordStatus struct {
	Status    string   `json:"status"` // as the decision states it; "" if it states none
	Holds     bool     `json:"holds"`
	Successor *Related `json:"successor"` // the query for what holds instead, or nil
}

// withStatus adds to an answer the status of a document, or of a section that has one. It also adds a line about the
// status above the text, unless the text says it.
func (l *Lookup) withStatus(a Answer, h *memory.Heading, hasFrontMatter bool) Answer {
	s := RecordStatus{Status: h.Status().Text, Holds: !h.Gone}
	if !h.File.Document && s.Status == "" && s.Holds {
		return a
	}
	if h.Successor != nil {
		s.Successor = &Related{l.queryFor(h.Successor), h.Successor.Title, "successor"}
	}
	a.RecordStatus = &s
	isStated := hasFrontMatter || !h.File.Document || decision.FrontMatter(h.File.Source)["status"] == ""
	if line := s.line(isStated); line != "" {
		a.Text = line + "\n\n" + strings.TrimLeft(a.Text, "\r\n")
	}
	return a
}

// queryFor returns the query that prints a decision: that of its first entry, or else one for its section or file.
func (l *Lookup) queryFor(h *memory.Heading) string {
	if len(h.Entries) > 0 {
		return h.Entries[0].Query()
	}
	if query := l.sectionQuery(h); query != "" && !h.File.Document {
		return query
	}
	return l.fileQuery(h.File.Path)
}

// maxStatusChars bounds the status in the line above a document.
const maxStatusChars = 200

// line returns what is printed above the text of a decision: what to read instead, that it does not hold, or the status
// unless the text states it. It returns "" if there is nothing to say.
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
