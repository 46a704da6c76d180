package learning

import "time"

// Confidence is how sure a learning is.
type Confidence string

// The confidences.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// confidences returns all confidences, sorted.
func confidences() []Confidence { return []Confidence{High, Low, Medium} }

// ParseConfidence parses a confidence; case matters. The error is a *FieldError.
func ParseConfidence(text string) (Confidence, error) {
	return parseOneOf("confidence", text, confidences())
}

// Numbers of observations at which the confidence of a learning rises.
const (
	minForMedium = 3
	minForHigh   = 5
)

// Reinforce returns the confidence of a learning after one more observation, which its count
// does not include yet. Only the first observation of a session raises it, by one step: the
// third from low to medium, and the fifth from medium to high if the source is a
// retrospective. Imported learnings keep their confidence, which is up to the owner of the
// file. An unknown confidence counts as medium.
func Reinforce(l Learning, distinctSession bool) Confidence {
	confidence := l.confidence()
	if !distinctSession || l.Source == Import {
		return confidence
	}
	switch n := l.Observations + 1; {
	case confidence == Low && n >= minForMedium:
		return Medium
	case confidence == Medium && n >= minForHigh && l.Source == Retro:
		return High
	}
	return confidence
}

// Vet returns the confidence of a learning that the user approved again, or that became global
// because another repository learned it too: low becomes medium. An imported learning keeps its
// confidence.
func Vet(l Learning) Confidence {
	if l.Confidence == Low && l.Source != Import {
		return Medium
	}
	return l.Confidence
}

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
