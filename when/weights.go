package when

// How much is recalled, if nothing else is asked for. What orders the decisions, and when
// there are none, is of package rank.
const (
	// DefaultMax is how many decisions are recalled at most. On the moments of make eval
	// two lose 0.03 of what applies, and four bring 0.01 more, of which less applies.
	DefaultMax = 3

	// DefaultBudget is how many characters of text are recalled at most.
	DefaultBudget = 4000

	// leastText is the number of characters below which a part of a section is not worth
	// printing: the query for it is printed alone.
	leastText = 200
)

// Which entries are named for a trigger that does not exist. The figures are those of
// make eval: two words of a trigger among others.
const (
	// maxSuggestions is how many are. All entries that are meant are among five, and
	// 0.997 of them among four.
	maxSuggestions = 5

	// leastShare is the share of the query's evidence that a suggestion must hold: with
	// less, the words that agree are chance. It stands where nothing is lost yet: 0.32
	// loses 0.01 of the entries that are meant, 0.4 loses 0.14.
	leastShare = 0.25

	// triggerWeight is that of a word in the trigger, where one in title or description
	// counts 1; misspelt is what a word with a letter wrong is worth of one without. Alike
	// for 1.5 to 2.6, and for 0.5 to 0.9.
	triggerWeight = 2.0
	misspelt      = 0.7
)

// maxRelated is how many entries of one kind are named beside an answer. The line
// of the section or file that holds them tells how many more there are.
const maxRelated = 12
