package store

import (
	"strings"

	"whence/internal/learning"
)

// merge joins what two stores have of one learning. The texts are those of the first. No
// observation is lost or counts twice. The store with the later update decides whether the learning is retired.
func merge(a, b Recorded) Recorded {
	m := a
	m.Observed = multisetUnion(a.Observed, b.Observed)
	m.Observations = mergedCount(a.Observations, len(a.Observed), b.Observations, len(b.Observed), len(m.Observed))
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
	if b.Updated.After(a.Updated) || b.Updated.Equal(a.Updated) && b.Retired > a.Retired {
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

func maxConfidence(a, b learning.Confidence) learning.Confidence {
	order := map[learning.Confidence]int{learning.Low: 0, learning.Medium: 1, learning.High: 2}
	if order[b] > order[a] {
		return b
	}
	return a
}
