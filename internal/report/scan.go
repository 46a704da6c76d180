package report

import (
	"slices"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
)

// maxReadCalls is the number of tool calls after a pointer within which a look-up counts as reading it: later ones
// have another reason.
const maxReadCalls = 10

// Scan holds the figures of one transcript. The zero Scan has read nothing.
type Scan struct {
	Agent           agent.Client
	Session         string // of its last record: a forked session begins with records of another one
	Begin           time.Time
	HasConversation bool // the agent itself has answered, not only its subagents
	Pointers        []Pointer
}

// Pointer is a decision that an agent was pointed to.
type Pointer struct {
	Trigger string
	Title   string
	Read    bool // its trigger was looked up within maxReadCalls
	Changed bool // after it was read, something that the decision names was changed

	subagent bool     // it was shown to a subagent
	left     int      // tool calls within which a look-up still counts as reading it
	names    []string // the names in the decision, once it was read
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

// addPointers adds the pointers in a text that a hook has injected. They follow the line that introduces them.
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

// addUse reads a tool call.
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

// addResult reads the result of a tool call, which may be the answer to a look-up.
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

// sectionOf returns the section, in an answer of memory-when, whose title begins with a text.
func sectionOf(answer, title string) string {
	_, section, _ := strings.Cut("\n"+answer, "\n# "+title)
	section, _, _ = strings.Cut(section, "\n---\n")
	return section
}
