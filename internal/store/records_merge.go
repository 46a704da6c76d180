package store

import (
	"strings"
	"time"

	"whence/internal/learning"
)

// merge joins what two stores have of one learning. The texts are those of the first. No
// observation and no feedback is lost or counts twice. The store with the later update or
// feedback decides whether the learning is retired.
func merge(a, b Recorded) Recorded {
	m := a
	m.Observed = multisetUnion(a.Observed, b.Observed)
	m.Feedback = multisetUnion(a.Feedback, b.Feedback)
	m.Observations = mergedCount(a.Observations, len(a.Observed), b.Observations, len(b.Observed), len(m.Observed))
	m.Influence = mergedCount(a.Influence, countHelped(a.Feedback), b.Influence, countHelped(b.Feedback), countHelped(m.Feedback))
	m.Recalls, m.Found = max(a.Recalls, b.Recalls), max(a.Found, b.Found)
	m.LastRecalled, m.LastUsed = later(a.LastRecalled, b.LastRecalled), later(a.LastUsed, b.LastUsed)
	if b.Created.Before(a.Created) {
		m.Created = b.Created
	}
	m.Updated = later(a.Updated, b.Updated)
	m.Keywords, m.References = union(a.Keywords, b.Keywords), union(a.References, b.References)
	if strings.TrimSpace(a.Reasoning) == "" {
		m.Reasoning = b.Reasoning
	}
	m.Confidence = maxConfidence(a.Confidence, b.Confidence)
	if a.Project != b.Project { // as when a second project learns it
		m.Project = ""
	}
	m.Personal = a.Personal && b.Personal
	if inA, inB := lastChange(a), lastChange(b); inB.After(inA) || inB.Equal(inA) && b.Retired > a.Retired {
		m.Retired = b.Retired
	}
	return m
}

// multisetUnion returns each item as often as the list that has it more often.
func multisetUnion[T comparable](a, b []T) []T {
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

// mergedCount returns how often something happened that two stores counted a and b times, with
// rows for rowsA and rowsB of it, and for rows together.
func mergedCount(a, rowsA, b, rowsB, rows int) int {
	return max(a, b, rows+max(a-rowsA, b-rowsB))
}

func countHelped(all []Feedback) (n int) {
	for _, f := range all {
		if f.Verdict == Helped {
			n++
		}
	}
	return n
}

func maxConfidence(a, b learning.Confidence) learning.Confidence {
	order := map[learning.Confidence]int{learning.Low: 0, learning.Medium: 1, learning.High: 2}
	if order[b] > order[a] {
		return b
	}
	return a
}

// lastChange returns the time of the last update or feedback.
func lastChange(r Recorded) time.Time {
	last := r.Updated
	for _, f := range r.Feedback {
		last = later(last, f.At)
	}
	return last
}
