package report

import (
	"slices"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
)

// maxReadCalls is the number of an agent's uses of tools after a pointer within which it counts as
// read: later it is read for another reason.
const maxReadCalls = 10

// Scan holds the figures of one transcript. The zero Scan has read nothing.
type Scan struct {
	Agent           agent.Client
	Session         string // of its last record: a fork begins with those of another one
	Begin           time.Time
	HasConversation bool // the agent has answered, not only its subagents
	Pointers        []Pointer
}

// Pointer is a decision that an agent was pointed to.
type Pointer struct {
	Trigger string
	Title   string
	Read    bool // its trigger was looked up within maxReadCalls
	Changed bool // once read, something that the decision names was changed

	subagent bool
	left     int      // uses of tools within which it still counts as read
	names    []string // what the decision names, once it is read
}

// Add reads the next record.
func (s *Scan) Add(r transcript.Record) {
	if r.Session != "" {
		s.Session = r.Session
	}
	if !r.At.IsZero() && (s.Begin.IsZero() || r.At.Before(s.Begin)) {
		s.Begin = r.At
	}
	if r.Type == transcript.Assistant && !r.Sidechain {
		s.HasConversation = true
	}
	if r.Injected != "" {
		s.addPointers(r)
	}
	for _, b := range r.Blocks {
		switch b.Kind {
		case transcript.Use:
			s.addUse(r, b)
		case transcript.Result:
			s.addResult(r, b)
		}
	}
}

// addPointers reads the pointers in a text that a hook has injected: they follow a line about them.
func (s *Scan) addPointers(r transcript.Record) {
	_, below, _ := strings.Cut("\n"+r.Injected, "\n"+agent.PointersBegin)
	_, below, _ = strings.Cut(below, "\n")
	for line := range strings.Lines(below) {
		query, isPointer := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !isPointer {
			return
		}
		_, title, _ := strings.Cut(query, "  (")
		s.Pointers = append(s.Pointers, Pointer{
			Trigger: trigger(query), Title: strings.TrimSuffix(title, ")"), subagent: r.Sidechain, left: maxReadCalls,
		})
	}
}

// addUse reads the use of a tool.
func (s *Scan) addUse(r transcript.Record, b transcript.Block) {
	asked := lookedUp(b)
	written := namesOfEdit(b.Input)
	for i := range s.Pointers {
		p := &s.Pointers[i]
		if p.subagent != r.Sidechain {
			continue
		}
		if p.left > 0 && slices.Contains(asked, p.Trigger) {
			p.Read = true
		}
		p.left--
		p.Changed = p.Changed || slices.ContainsFunc(p.names, func(name string) bool { return written[name] })
	}
}

// addResult reads the result of a tool, which may be the answer of a look-up.
func (s *Scan) addResult(r transcript.Record, b transcript.Block) {
	if b.Error {
		return
	}
	for i := range s.Pointers {
		p := &s.Pointers[i]
		if p.subagent == r.Sidechain && p.Read && len(p.names) == 0 && p.Title != "" {
			p.names = names(sectionOf(b.Text, strings.TrimSuffix(p.Title, " …")))
		}
	}
}

// sectionOf returns the section in an answer of memory-when whose title begins with these words.
func sectionOf(answer, title string) string {
	_, section, _ := strings.Cut("\n"+answer, "\n# "+title)
	section, _, _ = strings.Cut(section, "\n---\n")
	return section
}
