package report

import (
	"fmt"
	"strings"
	"time"

	"whence/internal/agent/transcript"
	"whence/internal/agent/usertext"
	"whence/internal/learning"
	"whence/internal/redact"
)

// Version is that of what a scan holds: one of another version is made anew.
const Version = 1

// Scan is what one transcript tells. The zero Scan is one of which nothing was read.
type Scan struct {
	Session string    `json:"session"` // of its last record: a fork begins with those of another one
	Begin   time.Time `json:"begin,omitzero"`
	Spoken  bool      `json:"spoken,omitempty"` // it has a prompt or an answer
	Prompts []Prompt  `json:"prompts,omitempty"`
	Recalls []Recall  `json:"recalls,omitempty"`

	State State `json:"state,omitzero"`
}

// State is what a scan needs to go on.
type State struct {
	Message  string         // of the API, the last one
	Tokens   int            // of it that are counted
	Open     []int          // recalls that were typed since the last prompt, and have no answer yet
	Tools    map[string]int // uses of tools without a result: the recall that each is
	Waiting  []Waiting
	Named    []string // Markdown files that were named or opened, the last ones
	Said     hashes   // words in a row of what was said last
	Prompted bool     // there was a prompt
}

// Prompt is what a user has typed, with what came of it.
type Prompt struct {
	ID     uint64 `json:"id"`               // the same in each transcript that it was copied into
	Typed  bool   `json:"typed,omitempty"`  // else it is what stands before the first
	Tokens int    `json:"tokens,omitempty"` // up to the next one
}

// Way is how something comes to be recalled.
type Way string

// The ways.
const (
	ByPrompt Way = "prompt"   // the user has typed /when or /how
	ByTool   Way = "tool"     // the agent has asked
	Injected Way = "injected" // nobody has asked
)

// Recall is one look into the memory, of somebody who asks, or one text that was put before
// an agent unasked.
type Recall struct {
	ID     uint64 `json:"id"` // the same in each transcript that it was copied into
	Way    Way    `json:"way"`
	Event  string `json:"event,omitempty"`  // at which it was injected
	Query  string `json:"query,omitempty"`  // that was asked, without secrets
	Missed bool   `json:"missed,omitempty"` // there was no answer
	Items  []Item `json:"items,omitempty"`  // that were injected
}

// Take goes on by a record.
func (s *Scan) Take(r transcript.Record) {
	if r.Session != "" {
		s.Session = r.Session
	}
	if !r.At.IsZero() && (s.Begin.IsZero() || r.At.Before(s.Begin)) {
		s.Begin = r.At
	}
	switch {
	case r.Hook.Text != "":
		s.told(r)
	case r.Type == transcript.Assistant:
		s.Spoken = true
		s.spend(r)
	case (r.Type == transcript.User || r.Type == transcript.Attachment) && !r.Meta && !r.Sidechain && !r.Summary:
		s.prompted(r)
	}
	for i, b := range r.Blocks {
		switch {
		case b.Kind == transcript.Use:
			s.acts(r, b)
			s.asks(r, i, b)
		case b.Kind == transcript.Result:
			s.answered(b)
		case r.Type == transcript.Assistant && !r.Synthetic:
			s.speaks(r, b.Text)
		}
	}
}

// prompted goes on by what a user has typed, if that is what it is.
func (s *Scan) prompted(r transcript.Record) {
	spoken, queries := false, []string(nil)
	for _, b := range r.Blocks {
		if b.Kind != transcript.Text {
			continue
		}
		m := usertext.Read(b.Text)
		spoken = spoken || m.Words != "" || m.Arguments != "" || m.Command != "" || m.Shell != ""
		queries = append(queries, typed(m)...)
		s.name(files(m.Words + " " + m.Arguments))
		s.remember(m.Words)
	}
	if !spoken {
		return
	}
	s.Spoken = true
	s.Prompts = append(s.Prompts, Prompt{ID: hash(r.UUID), Typed: true})
	s.State.Open = nil
	left := s.State.Waiting[:0]
	for _, w := range s.State.Waiting {
		if w.Left--; w.Left >= 0 {
			left = append(left, w)
		}
	}
	s.State.Waiting = left
	for i, query := range queries {
		s.State.Open = append(s.State.Open, len(s.Recalls))
		s.Recalls = append(s.Recalls, Recall{ID: hash(fmt.Sprint(r.UUID, " ", i)), Way: ByPrompt, Query: kept(query), Missed: true})
	}
}

// spend counts the tokens of an answer, which often stands in several records.
func (s *Scan) spend(r transcript.Record) {
	if len(s.Prompts) == 0 {
		s.Prompts = append(s.Prompts, Prompt{ID: hash(r.UUID)})
	}
	if r.Message == "" || r.Message != s.State.Message {
		s.State.Message, s.State.Tokens = r.Message, 0
	}
	if more := r.Tokens - s.State.Tokens; more > 0 {
		s.Prompts[len(s.Prompts)-1].Tokens += more
		s.State.Tokens = r.Tokens
	}
}

// told goes on by what hooks have put before the agent.
func (s *Scan) told(r transcript.Record) {
	if isAnswer(r.Hook.Text) {
		s.resolve()
	}
	if !isOwn(r.Hook.Text) {
		return
	}
	at := len(s.Recalls)
	items := read(r.Hook.Text)
	recall := Recall{ID: hash(r.UUID), Way: Injected, Event: r.Hook.Event}
	for _, t := range items {
		t.Title = kept(t.Title)
		recall.Items = append(recall.Items, t.Item)
	}
	s.Recalls = append(s.Recalls, recall)
	for i, t := range items {
		s.wait(at, i, t, r.Sidechain)
	}
}

// resolve notes that what a user has asked was answered.
func (s *Scan) resolve() {
	for _, i := range s.State.Open {
		s.Recalls[i].Missed = false
	}
	s.State.Open = nil
}

// mostTools is how many uses of tools wait for their results.
const mostTools = 100

// asks notes that the agent looks something up.
func (s *Scan) asks(r transcript.Record, block int, b transcript.Block) {
	query, is := recallIn(b.Input.Command)
	if isRecallTool(b.Name) {
		query, is = b.Input.Query, true
	}
	if !is {
		return
	}
	if s.State.Tools == nil || len(s.State.Tools) >= mostTools {
		s.State.Tools = map[string]int{}
	}
	s.State.Tools[b.Tool] = len(s.Recalls)
	s.Recalls = append(s.Recalls, Recall{ID: hash(fmt.Sprint(r.UUID, " ", block)), Way: ByTool, Query: kept(query)})
}

// answered notes what became of it.
func (s *Scan) answered(b transcript.Block) {
	i, is := s.State.Tools[b.Tool]
	if !is {
		return
	}
	delete(s.State.Tools, b.Tool)
	switch {
	case strings.Contains(b.Text, learning.NoMatch):
		s.Recalls[i].Missed = true
	case !b.Error:
		s.resolve()
	case usertext.IsMisuse(b.Text) || strings.Contains(b.Text, "command not found"): // nobody has looked
	default:
		s.Recalls[i].Missed = true
	}
}

// longestQuery is how many characters of a query are kept.
const longestQuery = 160

// kept is what is kept of a text that somebody has written: a line, without secrets.
func kept(text string) string {
	text, _ = redact.Text(text)
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > longestQuery {
		return string(line[:longestQuery-1]) + "…"
	}
	return string(line)
}
