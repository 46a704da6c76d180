package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
	"whence/internal/agent/usertext"
	"whence/internal/learning"
	"whence/internal/redact"
)

// Version is the version of Scan. A scan of another version is discarded.
const Version = 3

// Scan holds the figures of one transcript. The zero Scan has read nothing.
type Scan struct {
	Agent           agent.Client `json:"agent"`
	Session         string       `json:"session"` // of its last record: a fork begins with those of another one
	Begin           time.Time    `json:"begin,omitzero"`
	HasConversation bool         `json:"spoken,omitempty"` // it has a prompt or an answer
	Prompts         []Prompt     `json:"prompts,omitempty"`
	Recalls         []Recall     `json:"recalls,omitempty"`

	State ScanState `json:"state,omitzero"`
}

// ScanState lets a scan resume.
type ScanState struct {
	Message  string         // id of the last message of the API
	Tokens   int            // of this message, counted so far
	Open     []int          // recalls that were typed since the last prompt, without an answer yet
	Tools    map[string]int // recalls by tools without a result yet, by the id of the use
	Pending  []Pending      `json:"Waiting"`
	Named    []string       // the last Markdown files that were named or opened
	SaidRuns hashes         `json:"Said"` // the last word runs of prompts and answers
	Shown    hashes         // decisions that an agent was shown or has read
	BySkill  []int          // recalls by the skill that no tool has looked up yet
}

// Prompt is a user's prompt with the tokens of its answers.
type Prompt struct {
	ID     uint64 `json:"id"`               // the same in each transcript that it was copied into
	Typed  bool   `json:"typed,omitempty"`  // false: it stands for what precedes the first prompt
	Tokens int    `json:"tokens,omitempty"` // up to the next one
}

// Way is how something was recalled.
type Way string

// The ways of a recall.
const (
	ByPrompt Way = "prompt"   // the user typed /when or /how
	ByTool   Way = "tool"     // the agent used a tool or a command
	Injected Way = "injected" // unasked
)

// Recall is a query of a user or agent, or an injected text.
type Recall struct {
	ID     uint64 `json:"id"` // the same in each transcript that it was copied into
	Way    Way    `json:"way"`
	Event  string `json:"event,omitempty"`  // at which it was injected
	Query  string `json:"query,omitempty"`  // without secrets
	Missed bool   `json:"missed,omitempty"` // there was no answer
	Items  []Item `json:"items,omitempty"`  // that were injected

	// Of a tool alone.
	Own     bool     `json:"own,omitempty"`     // the user has typed no such query
	Read    int      `json:"read,omitempty"`    // decisions that are looked up by name
	Unshown []string `json:"unshown,omitempty"` // triggers of those that the agent was not shown before
}

// Add reads the next record.
func (s *Scan) Add(r transcript.Record) {
	if r.Session != "" {
		s.Session = r.Session
	}
	if !r.At.IsZero() && (s.Begin.IsZero() || r.At.Before(s.Begin)) {
		s.Begin = r.At
	}
	switch {
	case r.Hook.Text != "":
		s.addInjection(r)
	case r.Type == transcript.Assistant:
		s.HasConversation = true
		s.addTokens(r)
	case (r.Type == transcript.User || r.Type == transcript.Attachment) && !r.Meta && !r.Sidechain && !r.Summary:
		s.addPrompt(r)
	}
	for i, b := range r.Blocks {
		switch {
		case b.Kind == transcript.Use:
			s.useInTool(r, b)
			s.addToolRecall(r, i, b)
		case b.Kind == transcript.Result:
			s.resolveTool(r, b)
		case r.Type == transcript.Assistant && !r.Synthetic:
			s.useInText(r, b.Text)
		}
	}
}

// addPrompt reads a record that may be a user's prompt.
func (s *Scan) addPrompt(r transcript.Record) {
	spoken, queries := false, []string(nil)
	for _, b := range r.Blocks {
		if b.Kind != transcript.Text {
			continue
		}
		m := usertext.Read(b.Text)
		spoken = spoken || m.Words != "" || m.Arguments != "" || m.Command != "" || m.Shell != ""
		queries = append(queries, queriesIn(m)...)
		s.addNamed(files(m.Words + " " + m.Arguments))
		s.addSaid(m.Words)
	}
	if !spoken {
		return
	}
	s.HasConversation = true
	s.Prompts = append(s.Prompts, Prompt{ID: hash(r.UUID), Typed: true})
	s.State.Open = nil
	left := s.State.Pending[:0]
	for _, w := range s.State.Pending {
		if w.Left--; w.Left >= 0 {
			left = append(left, w)
		}
	}
	s.State.Pending = left
	s.State.BySkill = nil
	for i, query := range queries {
		s.addShown(r.Sidechain, trigger(query))
		s.State.Open = append(s.State.Open, len(s.Recalls))
		s.Recalls = append(s.Recalls, Recall{ID: hash(fmt.Sprint(r.UUID, " ", i)), Way: ByPrompt, Query: sanitize(query), Missed: true})
	}
}

// addTokens counts the tokens of an answer, which often has several records.
func (s *Scan) addTokens(r transcript.Record) {
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

// addInjection reads a text that hooks have injected.
func (s *Scan) addInjection(r transcript.Record) {
	if hasAnswer(r.Hook.Text) {
		s.resolvePrompt()
	}
	if !hasInjection(r.Hook.Text) {
		return
	}
	at := len(s.Recalls)
	items := itemsIn(r.Hook.Text)
	recall := Recall{ID: hash(r.UUID), Way: Injected, Event: r.Hook.Event}
	for _, t := range items {
		t.Title = sanitize(t.Title)
		recall.Items = append(recall.Items, t.Item)
	}
	s.Recalls = append(s.Recalls, recall)
	for i, t := range items {
		s.watchForUse(at, i, t, r.Sidechain)
	}
}

// resolvePrompt marks the user's queries as answered.
func (s *Scan) resolvePrompt() {
	for _, i := range s.State.Open {
		s.Recalls[i].Missed = false
	}
	s.State.Open = nil
}

// maxOpenTools bounds the uses of tools that have no result yet.
const maxOpenTools = 100

// addToolRecall records a query of the agent, once if the skill has it use a tool.
func (s *Scan) addToolRecall(r transcript.Record, block int, b transcript.Block) {
	l, is := lookUpIn(b)
	if !is {
		return
	}
	query := sanitize(strings.Join(l.queries, " "))
	if n := slices.IndexFunc(s.State.BySkill, func(i int) bool { return isSameQuery(s.Recalls[i].Query, query) }); n >= 0 {
		s.addTool(b.Tool, s.State.BySkill[n])
		s.State.BySkill = slices.Delete(s.State.BySkill, n, n+1)
		return
	}
	recall := Recall{ID: hash(fmt.Sprint(r.UUID, " ", block)), Way: ByTool, Query: query}
	triggers := l.triggers()
	recall.Own = len(s.State.Open) == 0 && !slices.ContainsFunc(triggers, s.isTyped)
	for _, t := range triggers {
		if recall.Own && !s.wasShown(r.Sidechain, t) {
			recall.Unshown = append(recall.Unshown, sanitize(t))
		}
		s.addShown(r.Sidechain, t)
	}
	if recall.Own {
		recall.Read = len(triggers)
	}
	if l.skill {
		s.State.BySkill = append(s.State.BySkill, len(s.Recalls))
	} else {
		s.addTool(b.Tool, len(s.Recalls))
	}
	s.Recalls = append(s.Recalls, recall)
}

// addTool has the result of a tool decide whether a recall was answered.
func (s *Scan) addTool(id string, recall int) {
	if s.State.Tools == nil || len(s.State.Tools) >= maxOpenTools {
		s.State.Tools = map[string]int{}
	}
	s.State.Tools[id] = recall
}

// isTyped reports whether the user has typed a query for a trigger.
func (s *Scan) isTyped(t string) bool {
	return slices.ContainsFunc(s.Recalls, func(r Recall) bool { return r.Way == ByPrompt && trigger(r.Query) == t })
}

// resolveTool records whether a query of the agent was answered.
func (s *Scan) resolveTool(r transcript.Record, b transcript.Block) {
	i, is := s.State.Tools[b.Tool]
	if !is {
		return
	}
	delete(s.State.Tools, b.Tool)
	switch {
	case strings.Contains(b.Text, learning.NoMatch):
		s.Recalls[i].Missed = true
	case !b.Error:
		s.resolvePrompt()
		s.watchForChange(r.Sidechain, b.Text)
	case usertext.IsMisuse(b.Text) || strings.Contains(b.Text, "command not found"): // the query did not run
	default:
		s.Recalls[i].Missed = true
	}
}

// maxQueryChars limits a recorded text.
const maxQueryChars = 160

// sanitize returns a text for the record: on one line, bounded and without secrets.
func sanitize(text string) string {
	text, _ = redact.Text(text)
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > maxQueryChars {
		return string(line[:maxQueryChars-1]) + "…"
	}
	return string(line)
}
