package dispatch

// Limits of the parts of a reply, in characters with all that is in them except the lines that head
// them. No part takes room from another.
const (
	maxPointersChars = 600
	maxListChars     = 900
	maxLearnedChars  = 600
	maxSessionsChars = 700
	maxCommitsChars  = 400
)

const (
	// maxPointers is the number of pointers in a reply. PromptLimits says how many there are on average.
	maxPointers = 5
	maxSessions = 2
	maxCommits  = 2
	maxLearned  = 3

	// maxPointerChars bounds a pointer, so that five fit: its title is cut. 3 of 100 entries of two
	// real indexes are longer.
	maxPointerChars = maxPointersChars / maxPointers

	minPointerTitleChars = 15
	maxTitleChars        = 200
)
