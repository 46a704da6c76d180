// Package report measures whether memory reaches agents, from the transcripts of their sessions.
//
// Scan reads a transcript record by record; Compute adds up scans; Text prints the figures for a
// terminal, HTML as a page. docs/hooks.md defines each figure.
package report

import (
	"maps"
	"slices"
	"time"

	"whence/internal/agent"
)

// Figures holds the figures of a report. The functions that show it compute shares.
type Figures struct {
	Since       string       `json:"since,omitempty"` // a day, as in 2006-01-02; "": no limit
	Transcripts int          `json:"transcripts"`
	Unread      int          `json:"unread,omitempty"` // transcripts that could not be read
	Total       Tally        `json:"total"`
	Agents      []AgentTally `json:"agents"` // in the order of agent.Clients
	Weeks       []Week       `json:"weeks"`
	Memory      *Memory      `json:"memory,omitempty"`    // nil: the project has no memory
	Learnings   *Learnings   `json:"learnings,omitempty"` // nil: no learning is stored
}

// Tally is the sum of the figures of sessions.
type Tally struct {
	Sessions int `json:"sessions"`
	Pointed  int `json:"pointed"`  // sessions with a pointer
	Recalled int `json:"recalled"` // sessions in which a pointer was read
	Pointers int `json:"pointers"`
	Read     int `json:"pointers_read"`
	Changed  int `json:"pointers_changed"` // pointers that were read, after which something their decision names was changed
}

// AgentTally is the tally of the sessions of an agent.
type AgentTally struct {
	Agent agent.Client `json:"agent"`
	Tally
}

// Week is the tally of the sessions that began in a week.
type Week struct {
	Monday string `json:"monday"`
	Tally
}

// Memory compares the memory of a project with what agents were shown.
type Memory struct {
	Entries int      `json:"entries"`
	Bare    []string `json:"never_shown_without_situations"` // queries of entries that were never pointed to
	Never   []string `json:"never_shown_with_situations"`    // the same; their situations may be too general
}

// Learnings holds the figures from the user's store.
type Learnings struct {
	Stored           int      `json:"stored"`
	CapturedThisWeek int      `json:"captured_this_week"`          // in sessions of the last 7 days: SC-5
	ShownPercent     *float64 `json:"shown_from_sessions_percent"` // share of those shown to agents that came from sessions: SC-4; nil: none was shown
}

// Entry is an entry of a project's memory.
type Entry struct {
	Query string // as in "/when taking a payment"
	Bare  bool   // its decision has no situations
}

// Compute adds up the scans of the sessions that began at or after a time; the zero time means all. Entries is nil if
// the project has no memory.
func Compute(scans []Scan, since time.Time, entries []Entry) Figures {
	f := Figures{Transcripts: len(scans), Agents: []AgentTally{}, Weeks: []Week{}}
	if !since.IsZero() {
		f.Since = day(since)
	}
	agents, weeks := map[agent.Client]*Tally{}, map[time.Time]*Tally{}
	reached := map[string]bool{}
	for _, s := range sessions(scans, since) {
		f.Total.add(s)
		tallyOf(agents, s.Agent).add(s)
		if !s.Begin.IsZero() {
			tallyOf(weeks, mondayOf(s.Begin)).add(s)
		}
		for _, p := range s.Pointers {
			reached[p.Trigger] = true
		}
	}
	for _, c := range agent.Clients {
		if sum := agents[c]; sum != nil {
			f.Agents = append(f.Agents, AgentTally{c, *sum})
		}
	}
	for _, monday := range slices.SortedFunc(maps.Keys(weeks), time.Time.Compare) {
		f.Weeks = append(f.Weeks, Week{day(monday), *weeks[monday]})
	}
	if entries == nil {
		return f
	}
	f.Memory = &Memory{Entries: len(entries), Bare: []string{}, Never: []string{}}
	for _, e := range entries {
		if reached[trigger(e.Query)] {
			continue
		}
		if e.Bare {
			f.Memory.Bare = append(f.Memory.Bare, e.Query)
		} else {
			f.Memory.Never = append(f.Memory.Never, e.Query)
		}
	}
	return f
}

// tallyOf returns the tally of a key, and adds one if it is missing.
func tallyOf[K comparable](all map[K]*Tally, key K) *Tally {
	if all[key] == nil {
		all[key] = &Tally{}
	}
	return all[key]
}

// sessions returns one scan for each session that began at or after a time, merged from all its transcripts. It omits
// sessions without an answer of the agent.
func sessions(scans []Scan, since time.Time) []Scan {
	byID := map[string]*Scan{}
	for _, s := range scans {
		known := byID[s.Session]
		if known == nil {
			byID[s.Session] = &s
			continue
		}
		known.HasConversation = known.HasConversation || s.HasConversation
		if known.Begin.IsZero() || !s.Begin.IsZero() && s.Begin.Before(known.Begin) {
			known.Begin = s.Begin
		}
		known.Pointers = append(known.Pointers, s.Pointers...)
	}
	var all []Scan
	for _, s := range byID {
		if s.HasConversation && s.Session != "" && !s.Begin.Before(since) {
			all = append(all, *s)
		}
	}
	return all
}

// add adds the figures of a session.
func (t *Tally) add(s Scan) {
	t.Sessions++
	t.Pointed += min(len(s.Pointers), 1)
	t.Pointers += len(s.Pointers)
	if slices.ContainsFunc(s.Pointers, func(p Pointer) bool { return p.Read }) {
		t.Recalled++
	}
	for _, p := range s.Pointers {
		if p.Read {
			t.Read++
		}
		if p.Changed {
			t.Changed++
		}
	}
}

// day returns the day of a time, in UTC like all days of a report.
func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// mondayOf returns the Monday, at midnight UTC, of the week of a time.
func mondayOf(t time.Time) time.Time {
	year, month, day := t.UTC().Date()
	return time.Date(year, month, day-(int(t.UTC().Weekday())+6)%7, 0, 0, 0, 0, time.UTC)
}
