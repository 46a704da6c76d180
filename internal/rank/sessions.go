package rank

import (
	"cmp"
	"math"
	"slices"
)

// Session rates a session as one that speaks of what a text is about.
type Session struct {
	Score float64 // of all its turns, and of its best turn; comparable within one question
	P     float64 // probability that it speaks of that
}

// SessionTurns counts the words of the turns of a session.
type SessionTurns struct {
	turns frequencies // of turns that have each term, and of words
	best  float64     // weight of the terms of the turn that has the most
}

// Add counts a turn by its stems. It reports whether no turn before was better.
func (s *SessionTurns) Add(q Question, stems string) (isBest bool) {
	var turn frequencies
	q.count(&turn, stems, 1)
	s.turns.all += turn.all
	weight := 0.0
	for i, t := range q.Terms {
		if turn.ofTerm[i] > 0 {
			s.turns.ofTerm[i]++
			weight += t.Weight()
		}
	}
	isBest = weight > s.best
	s.best = max(s.best, weight)
	return isBest
}

// OverSessions weighs the terms by the number of sessions that have each, of so many rows with one and of all.
// A bug is reported in other words than those in which it was decided about: what a whole session shares
// with the report tells more than its best turn.
func (q Question) OverSessions(having []int, found int) Question {
	all := max(q.rows/meanSessionTurns, float64(found), minSessions)
	q.rarest = math.Log(1 + (all-0.5)/1.5)
	terms := make([]Term, len(q.Terms))
	for i, t := range q.Terms {
		rarity := 0.0
		if having[i] > 0 {
			rarity = rarityOf(float64(having[i]), all)
		}
		terms[i] = t.ofRarity(rarity)
	}
	q.Terms = terms
	return q
}

// Sessions rates sessions, the weightiest of those that were found. The question is one OverSessions.
func (q Question) Sessions(all []SessionTurns) []Session {
	average := 0.0
	for _, s := range all {
		average += s.turns.all / float64(len(all))
	}
	rated, scores, together := make([]Session, len(all)), make([]float64, len(all)), make([]float64, len(all))
	for i, s := range all {
		together[i] = q.bm25(s.turns, average, sessionBM25)
		scores[i] = together[i] + s.best
		rated[i].Score = scores[i]
	}
	rest := meanBehind(scores, together)
	for i, s := range all {
		shared := 0
		for n, t := range q.Terms {
			if s.turns.ofTerm[n] > 0 && t.rarity > 0 {
				shared++
			}
		}
		part := 0.0 // of the text's weight, in the best turn; one word may be chance
		if shared > 1 {
			part = s.best / q.weight
		}
		rated[i].P = sessionP(together[i]/q.rarest, together[i]/max(rest, q.rarest), part)
	}
	return rated
}

// meanBehind returns the mean of some values behind the two that may be shown, the best by their scores.
func meanBehind(scores, values []float64) (mean float64) {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	behind := order[min(2, len(order)):min(5, len(order))]
	for _, i := range behind {
		mean += values[i] / float64(len(behind))
	}
	return mean
}

// sessionP returns the probability that a session speaks of what a text is about, by the weight of all its turns and its
// lead, and by the share of the text's weight that its best turn has. The slopes are rough: only whether it is above
// or below a half is fitted.
func sessionP(together, lead, part float64) float64 {
	of := sessionGate
	z := min(4*(lead-of.lead), max(together-of.together, 12*(part-of.part)))
	return 1 / (1 + math.Exp(-z))
}
