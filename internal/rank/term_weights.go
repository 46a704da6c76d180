package rank

// The weights of the score, and of evidence, which is a feature of the gate. The figures are recall@3 by the score
// alone, without the gate: the share of the decisions that apply at 64 moments that are among the first three, in a
// real memory of 374 entries. It is 0.83 with eight situations each, and 0.61 without any. Unless stated otherwise,
// figures are with situations. The set is small: differences of 0.01 to 0.02 are noise. Each weight is in the middle
// of a range that works equally well.
//
// The coefficients of the gate are fitted on features that depend on these weights: after a change,
// run make eval-fit.
const (
	// saturation and lengthNorm are k1 and b of BM25. With a k1 of 1 to 2 recall@3 stays the same,
	// and with 3 it is 0.80. A b between 0.2 and 0.8 makes no difference.
	saturation = 1.5
	lengthNorm = 0.4

	// The weights of the section's body and of the three-letter grams, relative to the words of the short fields:
	// first where decisions have situations, then (Bare) where they have none. With situations, recall@3 is 0.78
	// without the grams and 0.80 with a weight of 0.35; it stays the same from 0.4 to 0.7, and is 0.80 again with 1.
	// The grams see what stemming does not: compounds, typing errors and small words. Without the body recall@3 is
	// 0.81; it stays the same from 0.55 to 1, and is 0.80 with 1.1. Without situations the short fields are a single
	// line, so the body has to decide: recall@3 is 0.53 with the weights for situations, and 0.61 with those for
	// none, for any body weight from 1.4 to 2.8 and gram weight from 0.05 to 0.2.
	bodyWeight, bodyWeightBare = 0.8, 2.0
	gramWeight, gramWeightBare = 0.5, 0.1

	// enoughSituations is the mean number of situations per decision from which the weights for situations apply in
	// full; below it, weights are interpolated. With eight situations or none, 2 to 8 work equally well.
	enoughSituations = 4

	// gramEvidence and bodyEvidence are the weights of grams and body in evidence. The more situations there are, the
	// less the body counts: every word occurs in the body of some section.
	gramEvidence, bodyEvidence = 0.3, 0.4

	// otherRarity is the rarity assumed for the words of a phrase that the text does not have.
	otherRarity = 0.7

	// textMass is added to the weight of a text in evidence, so that two words don't prove much.
	textMass = 1.5

	// minDocuments is the minimum number of documents that rarity assumes: among three, nothing is rare.
	minDocuments = 50
)

// Limits bound the time of a recall for any text. Halving or doubling them changes no figure of the evaluation.
const (
	maxTextBytes = 4000 // of a longer text, the beginning and the end are used, half of the bytes each
	maxGrams     = 600  // different grams of the text
	maxWords     = 400  // different words of the text
)

// The language of a memory is judged by the first documents, and by the first bytes of their sections.
const (
	languageDocuments = 30
	languageBytes     = 300
)
