package rank

import (
	"cmp"
	"math"
	"slices"
)

// Session rates how well a session matches the subject of a text.
type Session struct {
	Score float64 // of all its turns and of its best turn; comparable within one question
	P     float64 // probability that it is about that subject
}

// SessionTurns counts the words in the turns of a session.
type SessionTurns struct {
	turns frequencies // the number of turns that have each term, and of all words
	best  float64     // weight of the terms in the best turn
}

// Add counts a turn, given its stems. It reports whether the turn is better than all before it.
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

// OverSessions returns the question with terms weighted by sessions instead of rows. Having holds the number of
// sessions that have each term; found is the number of sessions with any. The words of a bug report differ from those
// of the decision about it, so what a whole session shares with the report says more than its best turn.
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

// Sessions rates sessions. The question must come from OverSessions. The caller passes the best candidates that it
// found, since P depends on the lead of a session over the others.
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
		part := 0.0 // share of the text's weight in the best turn; one word may be chance
		if shared > 1 {
			part = s.best / q.weight
		}
		rated[i].P = sessionP(together[i]/q.rarest, together[i]/max(rest, q.rarest), part)
	}
	return rated
}

// meanBehind returns the mean of the values at the third to fifth best scores: up to two may be shown.
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

// sessionP returns the probability that a session is about the subject of a text, from the weight of all its turns
// together, its lead, and the share of the text's weight that its best turn has. Only the point where it is one half is
// fitted; the slopes are rough.
func sessionP(together, lead, part float64) float64 {
	of := sessionGate
	z := min(4*(lead-of.lead), max(together-of.together, 12*(part-of.part)))
	return 1 / (1 + math.Exp(-z))
}
