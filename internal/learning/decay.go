package learning

import "time"

// What is of no use for long is less sure: high becomes medium when nobody used it for
// 30 days, medium becomes low after 60 more, or 60 for one that never was high.
const (
	highLasts   = 30 * 24 * time.Hour
	mediumLasts = 60 * 24 * time.Hour
)

// Decay is the confidence that is left at a time. It is reckoned from the last use or
// observation; being shown is no use. What was imported keeps its confidence: whoever
// keeps the file judges it. A confidence that is none counts as medium. Nothing is
// written, so that reading a learning never makes it younger.
func Decay(l Learning, now time.Time) Confidence {
	confidence := l.Confidence
	if confidence != High && confidence != Low {
		confidence = Medium
	}
	if l.Source == Import {
		return confidence
	}
	age := now.Sub(l.lastEvidence())
	if confidence == High && age > highLasts {
		confidence = Medium
		age -= highLasts
	}
	if confidence == Medium && age > mediumLasts {
		confidence = Low
	}
	return confidence
}

// lastEvidence is when a learning was last of use, or observed, or edited.
func (l Learning) lastEvidence() time.Time {
	last := l.Created
	for _, t := range []time.Time{l.Updated, l.LastUsed} {
		if t.After(last) {
			last = t
		}
	}
	return last
}
