package capture

import (
	"strconv"

	"whence/internal/agent/transcript"
	"whence/internal/store"
	"whence/internal/text"
)

// The kinds of turns.
const (
	Prompt       = "prompt"    // the user's words
	SlashCommand = "command"   // the user's words behind a slash command
	Interrupt    = "interrupt" // the user has stopped the agent, or refused a tool
	Answer       = "answer"    // the agent's words
	Error        = "error"     // a tool has failed
	Fix          = "fix"       // what failed before succeeds
	Bash         = "bash"      // a command that had output
)

// The roles of a turn.
const (
	User      = "user"
	Assistant = "assistant"
	Tool      = "tool"
)

// MaxTextChars is the maximum length of the text of a turn.
const MaxTextChars = 2000

// Ranks of turns say how much a turn says. What only the user knew is written nowhere else; fixes cost
// most to find again; explanations of the agent can mostly be derived from the code; a command alone says
// little.
const (
	rankCorrection = 90 // the user stopped the agent, or refused a tool with a reason
	rankDecision   = 80 // the user chose
	rankMisuse     = 10 // a failure that the agent caused
)

// kinds has the role and the rank of the turns of a kind.
var kinds = map[string]struct {
	role string
	rank int
}{
	Prompt: {User, 70}, SlashCommand: {User, 70}, Interrupt: {User, 30}, Answer: {Assistant, 40}, Fix: {Tool, 60}, Error: {Tool, 50}, Bash: {Tool, 20},
}

// turn returns the turn of a block. Its UUID is the same whenever and in whichever session it is captured.
func turn(r transcript.Record, b transcript.Block, kind, said string) store.Turn {
	return store.Turn{
		UUID: r.UUID + ":" + kind + ":" + strconv.Itoa(b.Index), Session: r.Session, Kind: kind, Role: kinds[kind].role,
		Rank: kinds[kind].rank, Text: text.FirstChars(said, MaxTextChars), At: r.At,
	}
}

// isLong reports whether a text has at least minChars characters, as text.Length counts them.
func isLong(s string, minChars int) bool { return text.Length(s) >= minChars }
