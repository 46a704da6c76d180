package report

import (
	"strings"

	"whence/internal/dispatch"
)

// Memory is how much of the memory of one project comes to be recalled.
type Memory struct {
	Entries int      `json:"entries"`
	Never   []string `json:"never_recalled"` // queries, each with its file
	Stale   []string `json:"stale_paths"`
}

// memoryOf finds the entries that nothing has recalled: no injection, and no query that had
// an answer.
func memoryOf(sessions []session, log []dispatch.EventRecord, q Options) *Memory {
	places := map[string]bool{}
	var asked strings.Builder // several may be asked at once
	for _, s := range sessions {
		for _, r := range s.recalls {
			for _, i := range r.Items {
				places[i.File+" "+trigger(i.Query)] = true
			}
			if r.Way != Injected && !r.Missed {
				asked.WriteString(" " + trigger(r.Query) + " \n")
			}
		}
	}
	for _, r := range log {
		if r.Project == q.Project {
			for _, item := range r.Items {
				if place, is := strings.CutPrefix(item, "decision "); is {
					places[place] = true
				}
			}
		}
	}
	queries := asked.String()
	m := &Memory{Entries: len(q.Entries), Never: []string{}, Stale: append([]string{}, q.Stale...)}
	for _, e := range q.Entries {
		t := trigger(e.Query)
		if !strings.Contains(queries, " "+t+" ") && !places[e.File+" "+t] && !places[e.File+" "+e.Title] {
			m.Never = append(m.Never, e.Query+"  # "+e.File)
		}
	}
	return m
}
