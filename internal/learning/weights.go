package learning

// How learnings are ordered and chosen, and when two are the same. Only the cases and
// properties of this package's tests check these values; make eval does not.

// The weights of prominence, which is from 0 to 0.89. Observations count by their logarithm,
// so that one learning with 2,743 does not reduce the others to nothing; recency is that of
// the last use, as a write must not make a stale learning younger; and use counts rather than
// display, which would keep on top what is on top.
const (
	observationWeight = 0.30
	confidenceWeight  = 0.15
	recencyWeight     = 0.35
	useWeight         = 0.20

	recencyDays = 30.0 // age at which recency is halved
	useDays     = 60.0 // age at which uses count half
	maxUses     = 10.0 // further uses count nothing

	// A learning may be shown freeRecalls times for each use, and as often without any,
	// before being shown counts against it. After ignoredRecalls more it has lost
	// maxIgnored of its prominence, and loses no more.
	freeRecalls    = 10.0
	ignoredRecalls = 40.0
	maxIgnored     = 0.5
)

// relevanceWeight is the weight of relevance if there is a query; prominence has the rest.
const relevanceWeight = 0.7

// DefaultSessionShare is the share of session captures in a selection.
const DefaultSessionShare = 0.4

// In a selection of categoriesFrom or more, the best perCategory of each category go first.
const (
	categoriesFrom = 9
	perCategory    = 3
)
