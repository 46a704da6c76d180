package learning

import "time"

// An unused learning becomes less sure: high becomes medium after 30 days, medium becomes low
// after 60.
const (
	highDuration   = 30 * 24 * time.Hour
	mediumDuration = 60 * 24 * time.Hour
)

// Decay returns the confidence that remains at a time, counted from the last use or
// observation; being shown does not count as use. Imported learnings keep their confidence, which is up
// to the owner of the file. An unknown confidence counts as medium.
func Decay(l Learning, now time.Time) Confidence {
	confidence := l.confidence()
	if l.Source == Import {
		return confidence
	}
	age := now.Sub(l.lastEvidence())
	if confidence == High && age > highDuration {
		confidence = Medium
		age -= highDuration
	}
	if confidence == Medium && age > mediumDuration {
		confidence = Low
	}
	return confidence
}

// confidence returns the stored confidence, or medium if that is unknown.
func (l Learning) confidence() Confidence {
	if l.Confidence == High || l.Confidence == Low {
		return l.Confidence
	}
	return Medium
}

// lastEvidence returns when a learning was last used, observed or edited.
func (l Learning) lastEvidence() time.Time {
	last := l.Created
	for _, t := range []time.Time{l.Updated, l.LastUsed} {
		if t.After(last) {
			last = t
		}
	}
	return last
}
