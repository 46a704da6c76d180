package learning

import (
	"math"
	"time"
)

// Prominence is how much a learning matters whatever is asked, from 0 to 1: by how often
// it was observed in comparison with the most observed of all, how sure it still is, how
// long ago it was last of use or observed, and how often it was of use. Showing it again
// and again without use lowers it; time never raises it. What is retired has none.
func Prominence(l Learning, maxObservations int, now time.Time) float64 {
	if l.Retired != "" {
		return 0
	}
	observations := float64(max(l.Observations, 1))
	most := max(float64(maxObservations), observations)
	days := daysBetween(l.lastEvidence(), now)
	sum := observationWeight*math.Log(observations+1)/math.Log(most+1) +
		confidenceWeight*confidenceValue(Decay(l, now)) +
		recencyWeight*math.Log1p(1/(1+days/recencyDays))
	if l.Influence > 0 {
		sum += useWeight * min(float64(l.Influence)/fullUse, 1) / (1 + daysBetween(l.lastUse(), now)/useDays)
	}
	ignored := max(0, float64(l.Recalls)-patience*(1+float64(max(l.Influence, 0))))
	return sum * (1 - mostIgnored*min(ignored/ignoredScale, 1))
}

// lastUse is when a learning was last of use, as far as that is known.
func (l Learning) lastUse() time.Time {
	if l.LastUsed.IsZero() {
		return l.lastEvidence()
	}
	return l.LastUsed
}

func confidenceValue(c Confidence) float64 {
	switch c {
	case High:
		return 1
	case Low:
		return 1.0 / 3
	default:
		return 2.0 / 3
	}
}

// daysBetween is 0 for a time to come: a clock that is wrong makes nothing prominent.
func daysBetween(then, now time.Time) float64 {
	return max(0, now.Sub(then).Hours()/24)
}
