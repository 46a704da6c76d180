package when

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
