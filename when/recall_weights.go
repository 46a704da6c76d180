package when

// How much text recall prints by default. Package rank decides the order, dispatch.PromptLimits what
// is probable enough.
const (
	// DefaultMax is the number of texts.
	DefaultMax = 3

	// DefaultBudget is the number of characters of text.
	DefaultBudget = 4000

	// minTextChars is the length of the shortest useful part of a section: instead of a
	// shorter one, only its query is printed.
	minTextChars = 200
)

// Which entries are suggested for a trigger that does not exist. The figures are those of
// make eval: two words of a trigger among others.
const (
	// maxSuggestions is their number. Five include all entries that are meant, four 0.997.
	maxSuggestions = 5

	// minShare is the share of the query's evidence that a suggestion needs. 0.25 loses none
	// of the entries that are meant, 0.32 loses 0.01, 0.4 loses 0.14.
	minShare = 0.25

	// triggerWeight is the weight of a word in the trigger; in title or description it is 1.
	// misspelt is the weight of a word with a letter wrong. Results are the same for 1.5 to
	// 2.6, and for 0.5 to 0.9.
	triggerWeight = 2.0
	misspelt      = 0.7
)

// maxRelated is the number of related entries of one kind. The line of their section or file
// has the number of others.
const maxRelated = 12
