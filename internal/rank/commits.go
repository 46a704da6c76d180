package rank

import (
	"math"
	"math/bits"
)

// Commit rates how well the message of a commit gives a reason that bears on a text.
type Commit struct {
	Score float64 // higher is better; comparable within one question
	P     float64 // probability that it bears on the text
}

// Commits rates commits, given the stems of each message. The caller passes the best candidates that it found, since
// P depends on the lead of a commit over the others.
func (q Question) Commits(stems []string) []Commit {
	rated, counts, shared := make([]Commit, len(stems)), make([]frequencies, len(stems)), make([]int, len(stems))
	average := 0.0
	for i, message := range stems {
		has, _ := q.count(&counts[i], message, 1)
		shared[i] = bits.OnesCount64(uint64(has))
		average += counts[i].all / float64(len(stems))
	}
	scores := make([]float64, len(stems))
	for i := range rated {
		scores[i] = q.bm25(counts[i], average, learningBM25)
		rated[i].Score = scores[i]
	}
	rest := meanBehind(scores, scores)
	for i := range rated {
		rated[i].P = commitP(scores[i]/q.rarest, scores[i]/max(rest, minScore), shared[i])
	}
	return rated
}

// minScore replaces scores near 0, which have no logarithm.
const minScore = 0.1

// commitP returns the probability that a commit bears on a text. Score is a multiple of the rarity of a word that only
// one commit has; lead is the score as a multiple of the mean behind the best.
func commitP(score, lead float64, shared int) float64 {
	of := commitGate
	z := of.constant + of.score*math.Log(max(score, minScore)) + of.lead*math.Log(max(lead, minScore)) + of.words*math.Log(max(1, float64(shared)))
	return 1 / (1 + math.Exp(-z))
}
