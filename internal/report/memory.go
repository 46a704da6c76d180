package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"whence/internal/dispatch"
)

// Memory tells which entries of a project recall does not reach.
type Memory struct {
	Entries int      `json:"entries"`
	Bare    int      `json:"without_situations"`
	Unshown []string `json:"read_unshown"`   // queries that agents asked by themselves, with their number
	Never   []string `json:"never_recalled"` // queries, each with its file
	Stale   []string `json:"stale_paths"`
}

// memoryOf finds the entries that neither an injection nor an answered query has recalled.
func memoryOf(sessions []session, log []dispatch.EventRecord, q Options) *Memory {
	recalled := map[string]bool{} // by file and trigger, file and title, or in a pointer trigger
	unshown := map[string]int{}   // by trigger
	var asked strings.Builder     // a query may have several triggers
	for _, s := range sessions {
		for n, r := range s.recalls {
			if !r.Missed && !s.copied[n] {
				for _, t := range r.Unshown {
					unshown[t]++
				}
			}
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
				if decision, is := strings.CutPrefix(item, decisionKey); is {
					recalled[decision] = true
				}
			}
		}
	}
	queries := asked.String()
	m := &Memory{Entries: len(q.Entries), Bare: q.Bare, Unshown: []string{}, Never: []string{}, Stale: append([]string{}, q.Stale...)}
	for _, e := range missedOften(q.Entries, unshown) {
		m.Unshown = append(m.Unshown, fmt.Sprintf("%d× %s  # %s", unshown[trigger(e.Query)], e.Query, e.File))
	}
	for _, e := range q.Entries {
		t := trigger(e.Query)
		if !recalled[" "+t] && !strings.Contains(queries, " "+t+" ") && !recalled[e.File+" "+t] && !recalled[e.File+" "+e.Title] {
			m.Never = append(m.Never, e.Query+"  # "+e.File)
		}
	}
	return m
}

// missedOften returns the entries that were missed, the most frequent first.
func missedOften(entries []Entry, times map[string]int) []Entry {
	missed := slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return times[trigger(e.Query)] == 0 })
	slices.SortStableFunc(missed, func(a, b Entry) int { return cmp.Compare(times[trigger(b.Query)], times[trigger(a.Query)]) })
	return missed
}
