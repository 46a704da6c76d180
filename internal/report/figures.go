package report

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"whence/internal/agent"
)

// Figures holds the figures of a report. Shares are computed where they are shown.
type Figures struct {
	Since       string       `json:"since,omitempty"` // a day; "": everything
	Transcripts int          `json:"transcripts"`
	Unread      int          `json:"unread,omitempty"` // transcripts that could not be read
	Total       Tally        `json:"total"`
	Agents      []AgentTally `json:"agents"` // in the order of agent.Clients
	Weeks       []Week       `json:"weeks"`
	Memory      *Memory      `json:"memory,omitempty"`    // nil: the project has none
	Learnings   *Learnings   `json:"learnings,omitempty"` // nil: none is stored
}

// Tally is the sum of the figures of sessions.
type Tally struct {
	Sessions int `json:"sessions"`
	Pointed  int `json:"pointed"` // sessions with a pointer
	Pointers int `json:"pointers"`
	Read     int `json:"pointers_read"`
	Changed  int `json:"pointers_changed"` // pointers that were read, and something they lead to was changed
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
	Bare    []string `json:"never_shown_without_situations"` // queries that no pointer has reached
	Never   []string `json:"never_shown_with_situations"`    // the same, which may be too general
}

// Learnings holds the figures from the user's store.
type Learnings struct {
	Stored           int      `json:"stored"`
	CapturedThisWeek int      `json:"captured_this_week"`          // in sessions of the last 7 days: SC-5
	ShownPercent     *float64 `json:"shown_from_sessions_percent"` // of those that were shown to agents: SC-4; nil: none was
}

// Entry is an entry of a project's memory.
type Entry struct {
	Query string // as in "/when taking a payment"
	Bare  bool   // its decision has no situations
}

// Compute adds up the scans of the sessions that began since a time, which is zero for all. Entries is
// nil if there is no memory.
func Compute(scans []Scan, since time.Time, entries []Entry) Figures {
	f := Figures{Transcripts: len(scans), Agents: []AgentTally{}, Weeks: []Week{}}
	if !since.IsZero() {
		f.Since = day(since)
	}
	agents, weeks := map[agent.Client]Tally{}, map[string]Tally{}
	reached := map[string]bool{}
	for _, s := range sessions(scans, since) {
		one := s.tally()
		f.Total.plus(one)
		sum := agents[s.Agent]
		sum.plus(one)
		agents[s.Agent] = sum
		if !s.Begin.IsZero() {
			week := weeks[mondayOf(s.Begin)]
			week.plus(one)
			weeks[mondayOf(s.Begin)] = week
		}
		for _, p := range s.Pointers {
			reached[p.Trigger] = true
		}
	}
	for _, c := range agent.Clients {
		if sum := agents[c]; sum.Sessions > 0 {
			f.Agents = append(f.Agents, AgentTally{c, sum})
		}
	}
	for _, monday := range mondays(slices.Sorted(maps.Keys(weeks))) {
		f.Weeks = append(f.Weeks, Week{monday, weeks[monday]})
	}
	if entries != nil {
		f.Memory = &Memory{
			Entries: len(entries),
			Bare:    where(entries, func(e Entry, t string) bool { return !reached[t] && e.Bare }),
			Never:   where(entries, func(e Entry, t string) bool { return !reached[t] && !e.Bare }),
		}
	}
	return f
}

// where returns the queries of the entries for which a condition holds, given their triggers.
func where(entries []Entry, holds func(e Entry, trigger string) bool) []string {
	all := []string{}
	for _, e := range entries {
		if holds(e, trigger(e.Query)) {
			all = append(all, e.Query)
		}
	}
	return all
}

// sessions returns the sessions since a time, ordered by their beginning: one for all transcripts about
// it. What a fork has copied counts in the original session alone.
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
	slices.SortFunc(all, func(a, b Scan) int { return cmp.Or(a.Begin.Compare(b.Begin), cmp.Compare(a.Session, b.Session)) })
	dropCopies(all)
	return all
}

// dropCopies leaves each pointer in the first session that has it; a copy of it may have been read.
func dropCopies(sessions []Scan) {
	read, changed := map[string]bool{}, map[string]bool{}
	for _, s := range sessions {
		for _, p := range s.Pointers {
			read[p.ID] = read[p.ID] || p.Read
			changed[p.ID] = changed[p.ID] || p.Changed
		}
	}
	known := map[string]bool{}
	for i := range sessions {
		s := &sessions[i]
		var own []Pointer
		for _, p := range s.Pointers {
			if known[p.ID] {
				continue
			}
			known[p.ID] = true
			p.Read, p.Changed = read[p.ID], changed[p.ID]
			own = append(own, p)
		}
		s.Pointers = own
	}
}

// tally returns the tally of a session.
func (s Scan) tally() Tally {
	t := Tally{Sessions: 1, Pointed: min(len(s.Pointers), 1), Pointers: len(s.Pointers)}
	for _, p := range s.Pointers {
		if p.Read {
			t.Read++
		}
		if p.Changed {
			t.Changed++
		}
	}
	return t
}

// plus adds each figure of another tally.
func (t *Tally) plus(other Tally) {
	t.Sessions += other.Sessions
	t.Pointed += other.Pointed
	t.Pointers += other.Pointers
	t.Read += other.Read
	t.Changed += other.Changed
}

// day returns the day of a time, in UTC as all days of a report.
func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// mondayOf returns the first day of the week of a time.
func mondayOf(t time.Time) string {
	t = t.UTC()
	return day(t.AddDate(0, 0, -(int(t.Weekday())+6)%7))
}

// maxWeeks bounds the weeks of a report, as a wrong clock may span ages.
const maxWeeks = 520

// mondays returns all Mondays from the first to the last, up to maxWeeks.
func mondays(sorted []string) []string {
	if len(sorted) == 0 {
		return nil
	}
	last, err := time.Parse(time.DateOnly, sorted[len(sorted)-1])
	if err != nil { // a year of five digits
		return sorted
	}
	var all []string
	for at := last; len(all) < maxWeeks && day(at) >= sorted[0]; at = at.AddDate(0, 0, -7) {
		all = append(all, day(at))
	}
	slices.Reverse(all)
	return all
}
