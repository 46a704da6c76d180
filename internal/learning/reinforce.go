package learning

// From how many observations on, or verdicts that it helped, a learning is surer.
const (
	mediumFrom = 3
	highFrom   = 5
)

// Reinforce is the confidence of a learning after one more observation, which its count
// does not hold yet. Only an observation in a session that has not brought it before
// raises anything, by one step: from low to medium with the third, from medium to high
// with the fifth, and that only for what a retrospective has found. What was captured
// in the middle of work never becomes high by itself, and what was imported is raised
// by whoever keeps the file. A confidence that is none counts as medium.
func Reinforce(l Learning, distinctSession bool) Confidence {
	confidence := l.Confidence
	if confidence != High && confidence != Low {
		confidence = Medium
	}
	if !distinctSession || l.Source == Import {
		return confidence
	}
	switch n := l.Observations + 1; {
	case confidence == Low && n >= mediumFrom:
		return Medium
	case confidence == Medium && n >= highFrom && l.Source == Retro:
		return High
	}
	return confidence
}

// Vet is the confidence of a learning after somebody has judged it: the user approved of it again,
// it became global because another repository learned it too, or it helped, which its Influence
// counts already. Low becomes medium, and medium becomes high with the fifth time that it helped.
// What was imported stays as it is.
func Vet(l Learning) Confidence {
	switch {
	case l.Source == Import:
		return l.Confidence
	case l.Confidence == Low:
		return Medium
	case l.Influence >= highFrom:
		return High
	}
	return l.Confidence
}
