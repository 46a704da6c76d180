package capture

import "whence/internal/store"

// Ranks of turns say how much a turn says. What only the user knew is written nowhere else; fixes cost
// most to find again; explanations of the agent can mostly be derived from the code; a command alone says
// little.
const (
	correction = 90 // the user stopped the agent, or refused a tool with a reason
	decision   = 80 // the user chose
	request    = 70 // the user's other words
	repaired   = 60 // a failure with its fix
	failure    = 50
	answered   = 40
	stopped    = 30 // an interrupt without a word
	executed   = 20 // a command
	misused    = 10 // a failure that the agent caused
)

// rank returns the rank of a turn by its kind.
func rank(t store.Turn) int {
	switch t.Kind {
	case Prompt, Command:
		return request
	case Fix:
		return repaired
	case Error:
		return failure
	case Answer:
		return answered
	case Interrupt:
		return stopped
	}
	return executed
}
