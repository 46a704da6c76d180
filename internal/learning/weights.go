package learning

// What learnings are ordered and chosen by, and when two are the same. How well a search
// finds them is of package store, and measured by make eval; no evaluation measures what
// stands here: who changes it has the cases and properties of the tests alone.

// The weights of prominence, from 0 to 0.89. The measured defects of the formula that
// it comes from decide what each part counts: a count of observations by its logarithm,
// as one of 2,743 had left nothing to all others; the age since the last use, as the
// time of a write had made stale entries younger; and use instead of display, as what
// is shown each time had stayed on top by being shown.
const (
	observationWeight = 0.30
	confidenceWeight  = 0.15
	recencyWeight     = 0.35
	useWeight         = 0.20

	recencyDays = 30.0 // after which a learning counts as half as recent
	useDays     = 60.0 // after which its uses count half
	fullUse     = 10.0 // uses that count wholly

	// patience is how often a learning may be shown, for each use that it was of and
	// once more, before being shown counts against it; ignoredScale is after how many
	// more it has lost half of its prominence, which is the most that it loses.
	patience     = 10.0
	ignoredScale = 40.0
	mostIgnored  = 0.5
)

// relevanceWeight is that of relevance where something is asked: half of it was for
// vectors and a fifth for words before, and words do both here.
const relevanceWeight = 0.7

// DefaultSessionShare is how much of what is shown may have been captured in the middle
// of work.
const DefaultSessionShare = 0.4

// From eachFrom learnings on, every category has a place for its best perCategory.
const (
	eachFrom    = 9
	perCategory = 3
)

// Shares of the smaller and of the larger set of words that two statements have in
// common.
const (
	sameShare = 0.7  // least of the larger for near-duplicates
	coreShare = 0.99 // least of the smaller for contradictions
	leastSame = 3    // least number of common words, if they are not all
)
