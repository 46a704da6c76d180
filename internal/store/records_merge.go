package store

import (
	"strings"
	"time"

	"whence/internal/learning"
)

// merge joins what two stores know of one learning. The texts are those of the first;
// nothing that was counted, observed or said in either is lost, and nothing counts twice.
// Whether it still holds says the one of which something was learned or said last.
func merge(a, b Recorded) Recorded {
	m := a
	m.Observed = union(a.Observed, b.Observed)
	m.Said = union(a.Said, b.Said)
	m.Learning.Observations = joinedCount(a.Learning.Observations, len(a.Observed), b.Learning.Observations, len(b.Observed), len(m.Observed))
	m.Influence = joinedCount(a.Influence, helped(a.Said), b.Influence, helped(b.Said), helped(m.Said))
	m.Recalls, m.Found = max(a.Recalls, b.Recalls), max(a.Found, b.Found)
	m.LastRecalled, m.LastUsed = later(a.LastRecalled, b.LastRecalled), later(a.LastUsed, b.LastUsed)
	if b.Created.Before(a.Created) {
		m.Created = b.Created
	}
	m.Updated = later(a.Updated, b.Updated)
	m.Keywords, m.References = joined(a.Keywords[:len(a.Keywords):len(a.Keywords)], b.Keywords), joined(a.References[:len(a.References):len(a.References)], b.References)
	if strings.TrimSpace(a.Reasoning) == "" {
		m.Reasoning = b.Reasoning
	}
	m.Confidence = surer(a.Confidence, b.Confidence)
	if a.Project != b.Project { // as where a second project learns it
		m.Project = ""
	}
	m.Personal = a.Personal && b.Personal
	if first, second := lastWord(a), lastWord(b); second.After(first) || second.Equal(first) && b.Retired > a.Retired {
		m.Retired = b.Retired
	}
	return m
}

// union joins two lists. It repeats an item as often as the list that has it more often.
func union[T comparable](a, b []T) []T {
	have := map[T]int{}
	for _, item := range a {
		have[item]++
	}
	all := a[:len(a):len(a)]
	for _, item := range b {
		if have[item]--; have[item] < 0 {
			all = append(all, item)
		}
	}
	return all
}

// joinedCount is how often something happened that one store has counted a times, with rows
// for some of it, and another one b times, if there are so many rows for both.
func joinedCount(a, rowsA, b, rowsB, rows int) int {
	return max(a, b, rows+max(a-rowsA, b-rowsB))
}

func helped(all []Feedback) (n int) {
	for _, f := range all {
		if f.Verdict == Helped {
			n++
		}
	}
	return n
}

// surer is the higher of two confidences.
func surer(a, b learning.Confidence) learning.Confidence {
	order := map[learning.Confidence]int{learning.Low: 0, learning.Medium: 1, learning.High: 2}
	if order[b] > order[a] {
		return b
	}
	return a
}

// lastWord is when something was learned or said of a learning last.
func lastWord(r Recorded) time.Time {
	last := r.Updated
	for _, f := range r.Said {
		last = later(last, f.At)
	}
	return last
}
