package learning

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Candidate is a learning that may be shown.
type Candidate struct {
	Learning
	Score float64 // how relevant it is, 0 to 1, absolute; 0 without a query
}

// Standing returns how high a candidate ranks, from 0 to 1: by its prominence, and with a query
// also by its relevance.
func (c Candidate) Standing(hasQuery bool, maxObservations int, now time.Time) float64 {
	prominence := Prominence(c.Learning, maxObservations, now)
	if !hasQuery {
		return prominence
	}
	return relevanceWeight*min(max(c.Score, 0), 1) + (1-relevanceWeight)*prominence
}

// Rank orders candidates by [Candidate.Standing], the best first, equal ones by age, the youngest
// first, and by ID. There is a query if any has a score.
func Rank(candidates []Candidate, maxObservations int, now time.Time) []Candidate {
	hasQuery := slices.ContainsFunc(candidates, func(c Candidate) bool { return c.Score > 0 })
	type standing struct {
		Candidate
		value float64
	}
	all := make([]standing, 0, len(candidates))
	for _, c := range candidates {
		all = append(all, standing{c, c.Standing(hasQuery, maxObservations, now)})
	}
	slices.SortStableFunc(all, func(a, b standing) int {
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
	Count        int     // of learnings; below 1, none is shown
	Bytes        int     // of the text of Render; 0 means no limit
	SessionShare float64 // of session captures; 0 means DefaultSessionShare, 1 no limit
	Total        int     // as passed to Render
}

// Select returns the best of ranked candidates that fit into a budget, in their order. From
// a Count of nine, the three best of each category go before all others.
//
// Session captures are at most their share of the selection, rounded down. Two exceptions
// keep them from never being shown: one or two selected learnings may include one capture;
// and if there is nothing but captures, they may fill their share of Count, rounded up.
//
// A learning that is too long for the remaining bytes makes room for a shorter one.
func Select(ranked []Candidate, b Budget) []Candidate {
	share := b.SessionShare
	if share <= 0 {
		share = DefaultSessionShare
	}
	if !slices.ContainsFunc(ranked, func(c Candidate) bool { return c.Source != SessionCapture }) {
		return pick(ranked, b, int(math.Ceil(share*float64(b.Count))))
	}
	captures := quota(share, b.Count)
	for {
		picked := pick(ranked, b, captures)
		found := 0
		for _, c := range picked {
			if c.Source == SessionCapture {
				found++
			}
		}
		if found <= quota(share, len(picked)) {
			return picked
		}
		captures = found - 1
	}
}

// quota returns how many of the selected may be captures. The addend makes up for shares that no
// float holds exactly.
func quota(share float64, selected int) int { return max(1, int(share*float64(selected)+1e-9)) }

// pick selects with a limit on session captures.
func pick(ranked []Candidate, b Budget, captures int) []Candidate {
	room := newRoom(b)
	taken := make([]bool, len(ranked))
	count := 0
	take := func(i int) bool {
		c := ranked[i]
		isCapture := c.Source == SessionCapture
		if taken[i] || count >= b.Count || isCapture && captures == 0 || !room.take(c.Learning) {
			return false
		}
		taken[i] = true
		count++
		if isCapture {
			captures--
		}
		return true
	}
	if b.Count >= categoriesFrom {
		left := map[Category]int{}
		for _, c := range Categories() {
			left[c] = perCategory
		}
		for i, c := range ranked {
			if left[c.Category] > 0 && take(i) {
				left[c.Category]--
			}
		}
	}
	for i := range ranked {
		take(i)
	}
	var picked []Candidate
	for i, c := range ranked {
		if taken[i] {
			picked = append(picked, c)
		}
	}
	return picked
}
