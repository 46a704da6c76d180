package report

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"time"

	"whence/internal/agent"
	"whence/internal/dispatch"
)

// Options select what a report covers.
type Options struct {
	Since   time.Time // zero: everything
	Split   time.Time // compare the figures before with those from then on; zero: do not
	Project string    // of the entries, as the log names it
	Entries []Entry
	Stale   []string // paths in decisions that lead nowhere, each with its position
	Bare    int      // decisions without situations
	Memory  bool     // the project has a memory index
}

// Entry is an entry of the memory index.
type Entry struct{ File, Query, Title string }

// Figures holds the figures of a report. Shares are computed where they are shown.
type Figures struct {
	Since       string      `json:"since,omitempty"` // a day
	Transcripts Transcripts `json:"transcripts"`
	Log         Log         `json:"log"`
	Misses      []Miss      `json:"misses"`
	Memory      *Memory     `json:"memory,omitempty"`
	Learnings   *Learnings  `json:"learnings,omitempty"` // nil: none is stored
}

// Learnings holds the figures from the user's store.
type Learnings struct {
	Stored           int      `json:"stored"`
	CapturedThisWeek int      `json:"captured_this_week"`          // in sessions of the last 7 days
	ShownPercent     *float64 `json:"shown_from_sessions_percent"` // of those that were shown to agents; nil: none was
}

// Transcripts holds the figures from transcripts.
type Transcripts struct {
	Files  int           `json:"files"`
	Unread int           `json:"unread,omitempty"` // files that could not be read
	Total  Tally         `json:"total"`
	Agents []AgentTally  `json:"agents"` // in the order of agent.Clients
	Split  *Split[Tally] `json:"split,omitempty"`
	Weeks  []Week        `json:"weeks"`
	Events []EventItems  `json:"events"` // at which items were injected
}

// AgentTally is the tally of the sessions of an agent.
type AgentTally struct {
	Agent agent.Client `json:"agent"`
	Tally
}

// Split compares the figures of two times.
type Split[T any] struct {
	Day    string `json:"day"`
	Before T      `json:"before"`
	After  T      `json:"after"` // from that day on
}

// Week is the tally of the sessions that began in a week.
type Week struct {
	Monday string `json:"monday"`
	Tally
}

// Tally is the sum of the figures of sessions.
type Tally struct {
	Sessions int `json:"sessions"`
	Recalled int `json:"recalled"` // sessions with any recall
	Prompted int `json:"prompted"` // sessions with a recall that the user asked for
	Tooled   int `json:"tooled"`   // sessions with a recall that the agent asked for by itself
	Injected int `json:"injected"` // sessions with an injection
	Prompts  int `json:"prompts"`
	Tokens   int `json:"tokens"`
	Asked    int `json:"asked"`      // recalls that the user or the agent asked for
	Missed   int `json:"missed"`     // of these, without an answer
	Texts    int `json:"injections"` // texts that were injected
	Items    int `json:"items"`      // in them
	Stale    int `json:"stale"`      // items that name a missing file
	Used     int `json:"used"`       // items with any evidence of use
	Opened   int `json:"opened"`
	Cited    int `json:"cited"`
	Quoted   int `json:"quoted"`
	Pointers int `json:"pointers"`
	Read     int `json:"pointers_read"`
	Changed  int `json:"pointers_changed"` // pointers that were read, and something they lead to was changed
	Own      int `json:"own"`              // recalls that the agent asked for by itself
	Reads    int `json:"reads"`            // decisions that were read by them
	Unshown  int `json:"reads_unshown"`    // of these, not shown before
}

// EventItems counts the items that were injected at one event.
type EventItems struct {
	Event    string `json:"event"`
	Texts    int    `json:"injections"`
	Items    int    `json:"items"`
	Used     int    `json:"used"`
	Pointers int    `json:"pointers"`
	Read     int    `json:"pointers_read"`
}

// Compute computes the figures of a report.
func Compute(scans []Scan, log []dispatch.EventRecord, q Options) Figures {
	f := Figures{Transcripts: Transcripts{Files: len(scans), Agents: []AgentTally{}, Weeks: []Week{}, Events: []EventItems{}}, Misses: []Miss{}}
	if !q.Since.IsZero() {
		f.Since = day(q.Since)
	}
	sessions := sessionsOf(scans, q.Since)
	f.Transcripts.add(sessions, q.Split)
	f.Log = logOf(log, q)
	f.Misses = missesOf(sessions, log)
	if q.Memory {
		f.Memory = memoryOf(sessions, log, q)
	}
	return f
}

// session is an agent session, merged from all transcripts about it.
type session struct {
	id      string
	agent   agent.Client
	begin   time.Time
	prompts []Prompt
	recalls []Recall
	copied  []bool // by recall: an earlier session has it already
}

// sessionsOf returns the sessions since a time, ordered by their beginning. What a fork has copied
// counts in the original session: copied prompts are removed, copied recalls are marked.
func sessionsOf(scans []Scan, since time.Time) []session {
	byID := map[string]*session{}
	for _, s := range scans {
		if !s.HasConversation || s.Session == "" {
			continue
		}
		at := byID[s.Session]
		if at == nil {
			at = &session{id: s.Session, agent: s.Agent, begin: s.Begin}
			byID[s.Session] = at
		}
		if !s.Begin.IsZero() && (at.begin.IsZero() || s.Begin.Before(at.begin)) {
			at.begin = s.Begin
		}
		at.prompts = append(at.prompts, s.Prompts...)
		at.recalls = append(at.recalls, s.Recalls...)
	}
	var all []session
	for _, s := range byID {
		if !s.begin.Before(since) {
			all = append(all, *s)
		}
	}
	slices.SortFunc(all, func(a, b session) int { return cmp.Or(a.begin.Compare(b.begin), cmp.Compare(a.id, b.id)) })
	withoutCopies(all)
	return all
}

func withoutCopies(all []session) {
	prompts, recalls := map[uint64]*Prompt{}, map[uint64]*Recall{}
	for n := range all {
		s := &all[n]
		own := make([]Prompt, 0, len(s.prompts)) // never grows, so pointers into it stay valid
		for _, p := range s.prompts {
			if original := prompts[p.ID]; original != nil {
				original.Tokens = max(original.Tokens, p.Tokens) // the longer of the two has more of the answers
				continue
			}
			own = append(own, p)
			prompts[p.ID] = &own[len(own)-1]
		}
		s.prompts = own
		s.copied = make([]bool, len(s.recalls))
		for i := range s.recalls {
			r := &s.recalls[i]
			original := recalls[r.ID]
			if original == nil {
				r.Items = slices.Clone(r.Items)
				recalls[r.ID] = r
				continue
			}
			s.copied[i] = true
			original.Missed = original.Missed && r.Missed
			for k := range min(len(original.Items), len(r.Items)) {
				original.Items[k].Use |= r.Items[k].Use
			}
		}
	}
}

// add adds the tallies of sessions.
func (t *Transcripts) add(sessions []session, split time.Time) {
	weeks, agents, events := map[string]Tally{}, map[agent.Client]Tally{}, map[string]*EventItems{}
	if !split.IsZero() {
		t.Split = &Split[Tally]{Day: day(split)}
	}
	for _, s := range sessions {
		one := s.tally(events)
		t.Total.plus(one)
		sum := agents[s.agent]
		sum.plus(one)
		agents[s.agent] = sum
		if t.Split != nil && s.begin.Before(split) {
			t.Split.Before.plus(one)
		} else if t.Split != nil {
			t.Split.After.plus(one)
		}
		if s.begin.IsZero() {
			continue
		}
		monday := mondayOf(s.begin)
		week := weeks[monday]
		week.plus(one)
		weeks[monday] = week
	}
	for _, monday := range mondays(slices.Sorted(maps.Keys(weeks))) {
		t.Weeks = append(t.Weeks, Week{monday, weeks[monday]})
	}
	for _, c := range agent.Clients {
		if sum := agents[c]; sum.Sessions > 0 {
			t.Agents = append(t.Agents, AgentTally{c, sum})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(events)) {
		t.Events = append(t.Events, *events[name])
	}
}

// tally returns the tally of a session.
func (s session) tally(events map[string]*EventItems) Tally {
	t := Tally{Sessions: 1}
	for _, p := range s.prompts {
		t.Tokens += p.Tokens
		if p.Typed {
			t.Prompts++
		}
	}
	for i, r := range s.recalls {
		t.Recalled = 1
		switch r.Way {
		case ByPrompt:
			t.Prompted = 1
		case ByTool:
			if r.Own {
				t.Tooled = 1
			}
		case Injected:
			t.Injected = 1
		}
		if !s.copied[i] {
			t.recall(r, events)
		}
	}
	return t
}

// recall adds a recall.
func (t *Tally) recall(r Recall, events map[string]*EventItems) {
	if r.Way != Injected {
		t.Asked++
		if r.Own {
			t.Own++
		}
		if r.Missed {
			t.Missed++
		} else {
			t.Reads += r.Read
			t.Unshown += len(r.Unshown)
		}
		return
	}
	e := events[r.Event]
	if e == nil {
		e = &EventItems{Event: r.Event}
		events[r.Event] = e
	}
	t.Texts++
	e.Texts++
	for _, i := range r.Items {
		t.Items++
		e.Items++
		if i.Missing != "" {
			t.Stale++
		}
		if i.Use != 0 {
			t.Used++
			e.Used++
		}
		if i.isPointer() {
			t.Pointers++
			e.Pointers++
		}
		if i.Use&Read != 0 {
			e.Read++
		}
		for use, count := range map[Use]*int{Opened: &t.Opened, Cited: &t.Cited, Quoted: &t.Quoted, Read: &t.Read, Changed: &t.Changed} {
			if i.Use&use != 0 {
				*count++
			}
		}
	}
}

// plus adds each figure of another tally.
func (t *Tally) plus(other Tally) {
	sum, summand := reflect.ValueOf(t).Elem(), reflect.ValueOf(other)
	for i := range sum.NumField() {
		sum.Field(i).SetInt(sum.Field(i).Int() + summand.Field(i).Int())
	}
}

// share returns a part of a whole in percent; 0 if the whole is 0.
func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
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
