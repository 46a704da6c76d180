package learning

import (
	"cmp"
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
	Count int // of learnings; below 1, none is shown
	Bytes int // of the text of Render; 0 means no limit
	Total int // as passed to Render
}

// Select returns the best of ranked candidates that fit into a budget, in their order. From
// a Count of nine, the three best of each category go before all others.
//
// Session captures must not crowd out the rest: as long as another learning is left out, they are at
// most maxCaptures of the selection. Once none is, they take the room that remains.
//
// A learning that is too long for the remaining bytes makes room for a shorter one.
func Select(ranked []Candidate, b Budget) []Candidate {
	others := len(ranked) - countCaptures(ranked)
	captures := maxCaptures(b.Count)
	for {
		picked := pick(ranked, b, captures)
		found := countCaptures(picked)
		if found <= maxCaptures(len(picked)) || len(picked)-found == others {
			return picked
		}
		captures = found - 1
	}
}

func countCaptures(all []Candidate) int {
	count := 0
	for _, c := range all {
		if c.Source == SessionCapture {
			count++
		}
	}
	return count
}

// maxCaptures returns how many of the selected may be session captures while others are left out: two of
// five, but one of one or two.
func maxCaptures(selected int) int { return max(1, selected*2/5) }

// pick selects with a limit on session captures, which ends where nothing else is left out.
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
	for i, c := range ranked {
		if !taken[i] && c.Source != SessionCapture {
			return selected(ranked, taken)
		}
	}
	captures = len(ranked)
	for i := range ranked {
		take(i)
	}
	return selected(ranked, taken)
}

func selected(ranked []Candidate, taken []bool) (picked []Candidate) {
	for i, c := range ranked {
		if taken[i] {
			picked = append(picked, c)
		}
	}
	return picked
}
