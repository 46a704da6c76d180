package rank

// This file has the fitted values for searches of the store. Those for decisions are in gate_coefficients.go and
// term_weights.go.

// bm25Parameters holds k1 and b of BM25: how soon repetitions of a word stop adding to the score, and how much a
// long text loses.
type bm25Parameters struct{ frequency, length float64 }

var (
	learningBM25 = bm25Parameters{frequency: 1.2, length: 0.75} // as in SQLite
	sessionBM25  = bm25Parameters{frequency: 1.2, length: 0.6}  // a word counts once a turn
)

// learningGate is a logistic regression, fitted on the bank of learnings of make eval, with 85 actions and 240
// prompts, failures and actions of unrelated work. The figures are for a gate fitted on one half and judged on the
// other, for the first three hits with two words or more; in parentheses, with 2,000 other learnings in the store:
//
//	         questions answered   right lines   unrelated prompts, failures, actions with a line
//	p ≥ .2      .68 (.64)          .89 (.80)             .08   .17   .16
//	p ≥ .3      .65 (.61)          .94 (.90)             .05   .10   .13
//	p ≥ .5      .54 (.51)         1.00 (.95)             .04   .03   .05
//	p ≥ .7      .43 (.43)         1.00 (1.0)             .02   .00   .01
var learningGate = struct{ constant, evidence, covered, words, asked float64 }{
	constant: 1.7, evidence: 2.1, covered: 1.15, words: 3.4, asked: -1.95,
}

// sessionGate holds the values at which a session has a probability of one half: the weight of all its turns together,
// in rarest words; the share of the question's weight in its best turn; and its lead over the sessions behind it. With
// them, 55 of 67 questions to 297 sessions of two public sets name the right session, and so do 21 of 30 reports in
// other words. 30 prompts of other work name .2 sessions each.
var sessionGate = struct{ together, part, lead float64 }{together: 4.2, part: 0.3, lead: 1.1}

// commitGate is a logistic regression on the logarithms of the score, the lead and the number of shared words. It is
// fitted on 40 commits of three public repositories that give a reason, with reports and tasks in other words, and on
// 180 everyday prompts. The figures are for a gate fitted on two repositories and judged on the third:
//
//	lines at an everyday prompt    .03   .05   .10   .20
//	commits named, of 40             3     3     8    11
//
// Of the 40, 14 are ranked first and 16 are among the first two. The rest share too few words.
var commitGate = struct{ constant, score, lead, words float64 }{constant: -6.26, score: 3.8, lead: 1.22, words: -0.89}

// MinEvidence is the evidence that a learning needs to be an answer, unless its name answers a short query. With this
// value, the bank of make eval answers 1 of 10 questions that have no answer, and keeps all but 1 of the 72 answers
// that are ranked first. In a store of thousands of learnings, where more words are shared by chance, it answers 2 to 3
// of 10, and keeps as many.
const MinEvidence = 0.54

const (
	// fewWords is the scale of the discount for few shared words, which may be chance. manyWords is the number of rare
	// words from which a longer question needs no more evidence.
	fewWords  = 1.5
	manyWords = 16

	// minCovered replaces a coverage of 0, which has no logarithm.
	minCovered = 0.01

	// A text that has all words of a description of at least minSaidWords says the same, however long the text is. Then
	// the probability is at least saidP.
	minSaidWords = 3
	saidP        = 0.5

	// maxNamedWords is the maximum length of a typed query that one word of a name answers. Longer queries share
	// words with names by chance.
	maxNamedWords = 2

	// A word is rare if at most maxRareRows rows have it, or at most the share rareShare of all rows.
	maxRareRows = 3
	rareShare   = 0.02

	meanSessionTurns = 20 // to estimate the number of sessions
	minSessions      = 50 // the minimum that rarity assumes: among three, nothing is rare
)
