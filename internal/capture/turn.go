package capture

import (
	"strconv"

	"whence/internal/agent/transcript"
	"whence/internal/store"
	"whence/internal/words"
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

// roles has the role of the turns of each kind.
var roles = map[string]string{
	Prompt: User, SlashCommand: User, Interrupt: User, Answer: Assistant, Error: Tool, Fix: Tool, Bash: Tool,
}

// turn returns the turn of a block. Its UUID is the same whenever and in whichever session it is captured.
func turn(r transcript.Record, b transcript.Block, kind, said string) store.Turn {
	return store.Turn{
		UUID: r.UUID + ":" + kind + ":" + strconv.Itoa(b.Index), Session: r.Session, Kind: kind, Role: roles[kind],
		Text: words.FirstChars(said, MaxTextChars), At: r.At,
	}
}

// isLong reports whether a text has at least minChars characters, as text.Length counts them.
func isLong(s string, minChars int) bool { return words.Length(s) >= minChars }
