package learning

// How learnings are ordered and chosen. Only the cases and properties of this package's tests check
// these values; make eval does not.

// The weights of prominence, which is from 0 to 0.7. Observations count by their logarithm, so that
// one learning with 2,743 does not reduce the others to nothing; recency is that of the last use, as
// a write must not make a stale learning younger.
const (
	observationWeight = 0.30
	confidenceWeight  = 0.15
	recencyWeight     = 0.35

	recencyDays = 30.0 // age at which recency is halved

	// A learning may be shown freeRecalls times before being shown counts against it. After
	// ignoredRecalls more it has lost maxIgnored of its prominence, and loses no more.
	freeRecalls    = 10.0
	ignoredRecalls = 40.0
	maxIgnored     = 0.5
)

// relevanceWeight is the weight of relevance if there is a query; prominence has the rest.
const relevanceWeight = 0.7

// In a selection of categoriesFrom or more, the best perCategory of each category go first.
const (
	categoriesFrom = 9
	perCategory    = 3
)
