package learning

import "time"

// What tests generate from and compare with.
var (
	Categories  = categories
	Confidences = confidences
	Sources     = sources
	Prominence  = prominence
)

// Standing returns how high a candidate ranks.
func (c Candidate) Standing(hasQuery bool, maxObservations int, now time.Time) float64 {
	return c.value(hasQuery, maxObservations, now)
}
