package rank

// The weights of recall. Each is backed by `make eval`: 64 moments with 94 applicable
// decisions and 24 without any, over a real memory of 374 entries with eight
// situations each. The aim of a change is the same figures on moments that nobody has
// seen, so none of them is finer than such a set can tell.
const (
	// saturation and lengthNorm are k1 and b of BM25. From 1 to 4 and from 0.1 to 0.8
	// nothing moves by more than a hundredth.
	saturation = 1.5
	lengthNorm = 0.4

	// The weights of the section's body and of the three-letter pieces beside the words
	// of the short fields: where decisions have situations, and where they have none.
	// With situations, recall@3 is 0.76 without the pieces, and 0.80 to 0.82 wherever
	// the body weighs 0.3 to 1 and the pieces 0.2 to 0.5: they see what stemming does
	// not, compounds, slips and the small words. Without situations the short fields
	// are a line, and the body has to tell: at the weights for situations recall@3 is
	// 0.53, at 2 and 0.1 it is 0.62.
	bodyWeight, bodyWeightBare = 0.8, 2.0
	gramWeight, gramWeightBare = 0.5, 0.1

	// enoughSituations is how many a decision has in the mean from which on they tell
	// all; below, the weights lie in between.
	enoughSituations = 4

	// gramEvidence and bodyEvidence are what pieces and body weigh in the evidence, the
	// body only as far as situations are lacking: with them, it lowers precision.
	gramEvidence, bodyEvidence = 0.3, 0.4

	// phraseWeight is that of the best single phrase in the evidence. It does not
	// rank: one phrase in common is good proof, but several weak ones order better.
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
