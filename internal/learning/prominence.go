package learning

import (
	"math"
	"time"
)

// prominence returns how much a learning matters for any query, from 0 to 0.7: how often it
// was observed compared with maxObservations, how sure it still is, and how recently it was used
// or observed. Being shown often lowers it; time never raises it.
func prominence(l Learning, maxObservations int, now time.Time) float64 {
	observations := float64(max(l.Observations, 1))
	days := daysBetween(l.lastEvidence(), now)
	sum := observationWeight*math.Log(observations+1)/math.Log(max(float64(maxObservations), observations)+1) +
		confidenceWeight*confidenceValues[Decay(l, now)] +
		recencyWeight*math.Log1p(1/(1+days/recencyDays))
	ignored := max(0, float64(l.Recalls)-freeRecalls)
	return sum * (1 - maxIgnored*min(ignored/ignoredRecalls, 1))
}

var confidenceValues = map[Confidence]float64{High: 1, Medium: 2.0 / 3, Low: 1.0 / 3}

// daysBetween returns the days from then to now, 0 if then is in the future: a wrong clock must not make a
// learning prominent.
func daysBetween(then, now time.Time) float64 {
	return max(0, now.Sub(then).Hours()/24)
}

// The values below decide how learnings are ordered and chosen. Only the cases and properties of this
// package's tests check them; make eval does not.

// The weights of prominence. Observations count by their logarithm, so that one learning with 2,743
// does not reduce the others to nothing. Recency counts from the last use, observation or edit.
const (
	observationWeight = 0.30
	confidenceWeight  = 0.15
	recencyWeight     = 0.35

	recencyDays = 30.0 // age at which recency has fallen to 58 %

	// A learning may be shown freeRecalls times before being shown counts against it. After
	// ignoredRecalls more it has lost maxIgnored of its prominence, and loses no more.
	freeRecalls    = 10.0
	ignoredRecalls = 40.0
	maxIgnored     = 0.5
)

// relevanceWeight is the weight of relevance if there is a query; prominence has the rest.
const relevanceWeight = 0.7
