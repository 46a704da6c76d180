package dispatch

// Limits of the parts of a reply, in characters, not counting the line that heads a part. No part takes
// room from another.
const (
	maxPointersChars = 600
	maxListChars     = 900
	maxLearnedChars  = 600
	maxSessionsChars = 700
	maxCommitsChars  = 400
)

const (
	// maxPointers is the maximum number of pointers in a reply. PromptLimits says how many there are on average.
	maxPointers = 5
	maxSessions = 2
	maxCommits  = 2
	maxLearned  = 3

	// maxPointerChars is the maximum length of a pointer, so that five fit. Titles are cut to it: those of 3 in
	// 100 entries of two real indexes.
	maxPointerChars = maxPointersChars / maxPointers

	minPointerTitleChars = 15
	maxTitleChars        = 200
)
