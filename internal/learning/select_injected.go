package learning

import (
	"cmp"
	"slices"
	"time"
)

// Candidate is a learning that may be shown.
type Candidate struct {
	Learning
	Score float64 // relevance from 0 to 1, on an absolute scale; 0 without a query
}

// value returns how high a candidate ranks, from 0 to 1: by its prominence, and with a query
// also by its relevance.
func (c Candidate) value(hasQuery bool, maxObservations int, now time.Time) float64 {
	prominent := prominence(c.Learning, maxObservations, now)
	if !hasQuery {
		return prominent
	}
	return relevanceWeight*min(max(c.Score, 0), 1) + (1-relevanceWeight)*prominent
}

// Rank orders candidates by their value, the best first; equal ones by age, the youngest
// first, then by ID. There is a query if any candidate has a score.
func Rank(candidates []Candidate, maxObservations int, now time.Time) []Candidate {
	hasQuery := slices.ContainsFunc(candidates, func(c Candidate) bool { return c.Score > 0 })
	type valued struct {
		Candidate
		value float64
	}
	all := make([]valued, 0, len(candidates))
	for _, c := range candidates {
		all = append(all, valued{c, c.value(hasQuery, maxObservations, now)})
	}
	slices.SortStableFunc(all, func(a, b valued) int {
		return cmp.Or(cmp.Compare(b.value, a.value), b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
	})
	ranked := make([]Candidate, len(all))
	for i, s := range all {
		ranked[i] = s.Candidate
	}
	return ranked
}

// Budget limits what is shown.
type Budget struct {
	Count int // of learnings; below 1, none is shown
	Bytes int // of the text of Render; 0 means no limit
	Total int // as passed to Render
}

// Select returns the best of ranked candidates that fit into a budget, in their order. A candidate that is
// too long for the remaining bytes is skipped in favor of shorter ones.
//
// Session captures must not crowd out the rest: if another learning is left out, they are at most
// maxCaptures of the selection. If none is, they take the room that remains.
func Select(ranked []Candidate, b Budget) []Candidate {
	taken := make([]bool, len(ranked))
	count, captures, othersLeft := 0, 0, 0
	left := b.Bytes - len(renderHead(b.Count, b.Total)) - len(renderEnd)
	for _, d := range displays {
		left -= len(d.heading)
	}
	take := func(i int) {
		isCapture := ranked[i].Source == SessionCapture
		if bytes := len(ranked[i].rendered()); count < b.Count && (b.Bytes <= 0 || bytes <= left) {
			taken[i] = true
			left -= bytes
			count++
			if isCapture {
				captures++
			}
		} else if !isCapture {
			othersLeft++
		}
	}
	for i, c := range ranked {
		if c.Source != SessionCapture || captures < maxCaptures(b.Count) {
			take(i)
		}
	}
	if othersLeft == 0 {
		for i := range ranked {
			if !taken[i] {
				take(i)
			}
		}
	}
	for i := len(ranked) - 1; othersLeft > 0 && captures > maxCaptures(count); i-- {
		if taken[i] && ranked[i].Source == SessionCapture {
			taken[i] = false
			count--
			captures--
		}
	}
	var picked []Candidate
	for i, c := range ranked {
		if taken[i] {
			picked = append(picked, c)
		}
	}
	return picked
}

// maxCaptures returns how many of the selected may be session captures while others are left out: two of
// five, but at least one.
func maxCaptures(selected int) int { return max(1, selected*2/5) }
