package report

import (
	"strings"

	"whence/internal/dispatch"
)

// Memory counts the entries of a project that are never recalled.
type Memory struct {
	Entries int      `json:"entries"`
	Never   []string `json:"never_recalled"` // queries, each with its file
	Stale   []string `json:"stale_paths"`
}

// memoryOf finds the entries that neither an injection nor an answered query has recalled.
func memoryOf(sessions []session, log []dispatch.EventRecord, q Options) *Memory {
	recalled := map[string]bool{} // by file and trigger, or file and title
	var asked strings.Builder     // a query may have several triggers
	for _, s := range sessions {
		for _, r := range s.recalls {
			for _, i := range r.Items {
				recalled[i.File+" "+trigger(i.Query)] = true
			}
			if r.Way != Injected && !r.Missed {
				asked.WriteString(" " + trigger(r.Query) + " \n")
			}
		}
	}
	for _, r := range log {
		if r.Project == q.Project {
			for _, item := range r.Items {
				if decision, is := strings.CutPrefix(item, "decision "); is {
					recalled[decision] = true
				}
			}
		}
	}
	queries := asked.String()
	m := &Memory{Entries: len(q.Entries), Never: []string{}, Stale: append([]string{}, q.Stale...)}
	for _, e := range q.Entries {
		t := trigger(e.Query)
		if !strings.Contains(queries, " "+t+" ") && !recalled[e.File+" "+t] && !recalled[e.File+" "+e.Title] {
			m.Never = append(m.Never, e.Query+"  # "+e.File)
		}
	}
	return m
}
