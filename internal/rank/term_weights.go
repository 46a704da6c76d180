package rank

// The weights of the score and of evidence, which is a feature of the gate. The figures are recall@3 by
// the score alone, without the gate: of the decisions that apply at 64 moments,
// the share that is among the first three of a real memory of 374 entries. It is 0.83 with eight
// situations each, and 0.61 without any. Unless stated otherwise, figures are with situations. The set
// is small: differences of 0.01 to 0.02 are noise, and each weight is in the middle of a range that
// works equally well.
//
// The coefficients of the gate are fitted on features that depend on these weights: after a change,
// run make eval-fit.
const (
	// saturation and lengthNorm are k1 and b of BM25. With a k1 of 1 to 2 recall@3 stays the same,
	// and with 3 it is 0.80. A b between 0.2 and 0.8 makes no difference.
	saturation = 1.5
	lengthNorm = 0.4

	// The weights of the section's body and of the three-letter grams beside the words
	// of the short fields: where decisions have situations, and where they have none.
	// With situations, recall@3 is 0.78 without the grams and 0.80 with a weight of 0.35; it
	// stays the same from 0.4 to 0.7, and is 0.80 again with 1. The grams see what stemming
	// does not: compounds, slips and the small words. Without the body it is 0.81; it stays
	// the same from 0.55 to 1, and is 0.80 with 1.1. Without situations the short fields are a
	// line, and the body has to decide: with the weights for situations recall@3 is 0.53, with
	// those for none 0.61, for any body weight from 1.4 to 2.8 and gram weight from 0.05 to 0.2.
	bodyWeight, bodyWeightBare = 0.8, 2.0
	gramWeight, gramWeightBare = 0.5, 0.1

	// enoughSituations is the mean number of situations per decision from which the weights
	// for situations apply in full; below, they lie in between. With eight or none, 2 to 8 work
	// equally well.
	enoughSituations = 4

	// gramEvidence and bodyEvidence are the weights of grams and body in evidence. The body counts
	// only as far as there are no situations: every word occurs in the body of some section.
	gramEvidence, bodyEvidence = 0.3, 0.4

	// otherRarity is the assumed rarity of the words of a phrase that the text does not have.
	otherRarity = 0.7

	// textMass is added to the weight of a text in evidence, so that two words do not prove much.
	textMass = 1.5

	// minDocuments is the minimal number of documents that rarity assumes: among three,
	// nothing is rare.
	minDocuments = 50
)

// Limits bound the time of a recall for any text. Halving or doubling them changes no figure of the evaluation.
const (
	maxTextBytes = 4000 // of a longer text, the first and the last half are used
	maxGrams     = 600  // three-letter grams of it
	maxWords     = 400  // different words of it
)

// The language of a memory shows in the first languageBytes of the sections of so many documents.
const (
	languageDocuments = 30
	languageBytes     = 300
)
