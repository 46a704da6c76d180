package rank

// The weights of recall. The figures are those of `make eval`: 64 moments with 94
// applicable decisions and 24 without any, over a real memory of 374 entries with eight
// situations each, and the same without situations. The set is small: a difference of
// 0.01 to 0.02 says nothing, and the weights stand in the middle of what works alike.
const (
	// saturation and lengthNorm are k1 and b of BM25. Recall@3 is 0.82 to 0.83 for k1 of 1
	// to 2.5 and 0.79 for 4, where more is said wrongly besides (0.13 of the negatives
	// for 0.04). b of 0.1 to 0.8 makes no difference with situations.
	saturation = 1.5
	lengthNorm = 0.4

	// The weights of the section's body and of the three-letter pieces beside the words
	// of the short fields: where decisions have situations, and where they have none.
	// With situations, recall@3 is 0.78 without the pieces, 0.80 with a weight of 0.2 and
	// 0.83 from 0.5 on: they see what stemming does not, compounds, slips and the small
	// words. Without the body it is 0.81. Without situations the short fields are a line,
	// and the body has to tell: at the weights for situations recall@3 is 0.53, at
	// those for none 0.61.
	bodyWeight, bodyWeightBare = 0.8, 2.0
	gramWeight, gramWeightBare = 0.5, 0.1

	// enoughSituations is how many a decision has in the mean from which on they tell
	// all; below, the weights lie in between.
	enoughSituations = 4

	// gramEvidence and bodyEvidence are what pieces and body weigh in the evidence, the
	// body only as far as situations are lacking: with them, it lowers precision.
	gramEvidence, bodyEvidence = 0.3, 0.4

	// phraseWeight is that of the best single phrase in the evidence. It does not rank.
	// With it, at one threshold, 0.55 of what applies is printed, without it 0.44.
	phraseWeight = 1

	// otherRarity stands for the rarity of the words of a phrase that the text lacks.
	otherRarity = 0.7

	// background is the number of matches behind the first ones whose mean score is
	// taken for chance, and backgroundFrom the first of them.
	background     = 20
	backgroundFrom = 5

	// fullShare is the share of the best match's lead over chance from which on
	// another match has its evidence whole.
	fullShare = 0.7

	// leaders is how many of the first matches may bring the evidence, and leastOwn what
	// each needs of its own, as a share of the threshold. Neither changes a figure of the
	// evaluation; both are for memories in which one section mentions everything.
	leaders  = 3
	leastOwn = 0.5

	// textMass is added to what a text says, so that two words are no sure proof.
	textMass = 1.5

	// threshold is the evidence that counts as 1.
	threshold = 2.08

	// leastDocuments is how many documents rarity is reckoned with at least: among
	// three, nothing is rare.
	leastDocuments = 50
)

// Limits keep the time of a recall bounded, whatever text is passed.
const (
	maxText  = 4000 // bytes of a text that are looked at: the first and the last half
	maxGrams = 600  // three-letter pieces of it
	maxWords = 400  // different words of it
)
