package capture

import (
	"strconv"

	"whence/internal/agent/transcript"
	"whence/internal/store"
	"whence/internal/text"
)

// The kinds of turns.
const (
	Prompt    = "prompt"    // the user's words
	Command   = "command"   // the user's words behind a slash command
	Interrupt = "interrupt" // the user has stopped the agent, or refused a tool
	Answer    = "answer"    // the agent's words
	Error     = "error"     // a tool has failed
	Fix       = "fix"       // what failed before succeeds
	Bash      = "bash"      // a command that had output
)

// The roles of a turn.
const (
	User      = "user"
	Assistant = "assistant"
	Tool      = "tool"
)

// MaxTextChars is the maximum length of the text of a turn.
const MaxTextChars = 2000

// turn returns a turn of a record. Its UUID is the same whenever and in whichever session it is
// captured.
func turn(r transcript.Record, kind, role, uuid, said string) store.Turn {
	t := store.Turn{UUID: uuid, Session: r.Session, Kind: kind, Role: role, Text: text.FirstChars(said, MaxTextChars), At: r.At}
	t.Rank = rank(t)
	return t
}

// uuidOf returns the UUID of the turn of a block.
func uuidOf(r transcript.Record, kind string, b transcript.Block) string {
	return r.UUID + ":" + kind + ":" + strconv.Itoa(b.Index)
}

// isLong reports whether a text has at least minChars characters, as text.Length counts them.
func isLong(s string, minChars int) bool { return text.Length(s) >= minChars }

// Ranks of turns say how much a turn says. What only the user knew is written nowhere else; fixes cost
// most to find again; explanations of the agent can mostly be derived from the code; a command alone says
// little.
const (
	rankCorrection = 90 // the user stopped the agent, or refused a tool with a reason
	rankDecision   = 80 // the user chose
	rankRequest    = 70 // the user's other words
	rankFix        = 60 // a failure with its fix
	rankFailure    = 50
	rankAnswer     = 40
	rankInterrupt  = 30 // an interrupt without a word
	rankCommand    = 20 // a command
	rankMisuse     = 10 // a failure that the agent caused
)

// rank returns the rank of a turn by its kind.
func rank(t store.Turn) int {
	switch t.Kind {
	case Prompt, Command:
		return rankRequest
	case Fix:
		return rankFix
	case Error:
		return rankFailure
	case Answer:
		return rankAnswer
	case Interrupt:
		return rankInterrupt
	}
	return rankCommand
}
