package rank

// What is fitted for the search of the store. The coefficients for decisions are in gate_coefficients.go and
// term_weights.go.

// bm25Parameters are k1 and b of BM25: how soon more of the same word adds nothing, and how much a long text loses.
type bm25Parameters struct{ frequency, length float64 }

var (
	learningBM25 = bm25Parameters{frequency: 1.2, length: 0.75} // as in SQLite
	sessionBM25  = bm25Parameters{frequency: 1.2, length: 0.6}  // over the number of turns that have a word
)

// learningGate is a logistic regression, fitted on make eval's bank of learnings, alone and among 2,000 others (in
// parentheses), with 85 actions and 240 prompts, failures and actions of unrelated work. Fitted on one
// half and judged on the other, for the first three hits with two words or more:
//
//	         questions answered   right lines   unrelated prompts, failures, actions with a line
//	p ≥ .2      .68 (.64)          .89 (.80)             .08   .17   .16
//	p ≥ .3      .65 (.61)          .94 (.90)             .05   .10   .13
//	p ≥ .5      .54 (.51)         1.00 (.95)             .04   .03   .05
//	p ≥ .7      .43 (.43)         1.00 (1.0)             .02   .00   .01
var learningGate = struct{ constant, evidence, covered, words, asked float64 }{
	constant: 1.7, evidence: 2.1, covered: 1.15, words: 3.4, asked: -1.95,
}

// sessionGate has where a session is as likely as not to speak of what a text is about: if its turns together have the
// weight of so many of the rarest words, or its best turn that part of the weight of a question; and if it leads the sessions
// behind it. By that, 55 of 67 questions to 297 sessions of two public sets name the right one, and 21 of 30 reports in
// other words; 30 prompts of other work name .2 sessions.
var sessionGate = struct{ together, part, lead float64 }{together: 4.2, part: 0.3, lead: 1.1}

// commitGate is a logistic regression of the logarithms of the score, of the lead and of the number of shared words. It is
// fitted on 40 commits of three public repositories that give a reason, with reports and tasks in other words, and on 180
// everyday prompts. With two repositories for the fit, and judged on the third:
//
//	lines at an everyday prompt    .03   .05   .10   .20
//	commits named, of 40             3     3     8    11
//
// Of 40, 14 are ranked first and 16 among two: the rest shares too few words.
var commitGate = struct{ constant, score, lead, words float64 }{constant: -6.26, score: 3.8, lead: 1.22, words: -0.89}

// MinEvidence is the evidence that a learning needs to be an answer, unless its name answers a short query. On the bank
// of make eval it answers 1 of 10 questions that have no answer, and keeps all but 1 of 72 answers that
// are ranked first. In a store of thousands more words are shared by chance: there it answers 2 to 3 of
// 10, and keeps as many.
const MinEvidence = 0.54

const (
	// fewWords: fewer shared words may be chance. A question of more than manyWords, if they are rare, needs no more
	// evidence.
	fewWords  = 1.5
	manyWords = 16

	// minCovered replaces a coverage of 0, which has no logarithm: the text shares no word with the learning.
	minCovered = 0.01

	// A text that has all words of a description says the same, however long the text is.
	minSaidWords = 3
	saidP        = 0.5

	// maxNamedWords is the length of a typed query that one word of a name answers. Longer ones have words
	// of names by chance.
	maxNamedWords = 2

	// A word is rare if at most maxRareRows rows have it, or rareShare of all.
	maxRareRows = 3
	rareShare   = 0.02

	meanSessionTurns = 20 // to estimate the number of sessions
	minSessions      = 50 // that rarity assumes: among three, nothing is rare
)
