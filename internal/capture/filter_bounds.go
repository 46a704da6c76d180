package capture

import "whence/internal/shell"

// Bounds of the state of a Filter. What exceeds them is forgotten, the oldest first: a failure then
// misses its command, or its fix.
const (
	maxUses     = 16
	maxFailures = 8
	maxMessages = 8
	maxSteps    = 6 // after each failure
	maxChanges  = 5
	maxSeen     = 256

	maxIDChars     = 80
	maxNameChars   = 60
	maxActionChars = 600
	maxKeyChars    = 200
	maxWordsChars  = 400
	maxDirChars    = 150
	maxStepChars   = 100
)

// last returns the last n elements of a list.
func last[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

func bounded(r shell.Run) shell.Run {
	r.Words, r.Dir = cut(r.Words, maxWordsChars), cut(r.Dir, maxDirChars)
	return r
}
