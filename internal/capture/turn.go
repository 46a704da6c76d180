package capture

import (
	"strconv"

	"whence/internal/agent/transcript"
	"whence/internal/store"
	"whence/internal/words"
)

// Kind is the kind of a turn.
type Kind string

// The kinds of turns.
const (
	Prompt       Kind = "prompt"    // the user's words
	SlashCommand Kind = "command"   // the user's words after a slash command
	Interrupt    Kind = "interrupt" // the user has stopped the agent, or refused a tool
	Answer       Kind = "answer"    // the agent's words
	Error        Kind = "error"     // a tool has failed
	Fix          Kind = "fix"       // what failed before succeeds
	Bash         Kind = "bash"      // a command that had output
)

// The roles of a turn.
const (
	User      = "user"
	Assistant = "assistant"
	Tool      = "tool"
)

// maxTextChars is the maximum length of the text of a turn.
const maxTextChars = 2000

// roles maps each kind to the role of its turns.
var roles = map[Kind]string{
	Prompt: User, SlashCommand: User, Interrupt: User, Answer: Assistant, Error: Tool, Fix: Tool, Bash: Tool,
}

// turn returns the turn of a block. Its UUID does not depend on when or in which session it is captured.
func turn(r transcript.Record, b transcript.Block, kind Kind, said string) store.Turn {
	return store.Turn{
		UUID: r.UUID + ":" + string(kind) + ":" + strconv.Itoa(b.Index), Session: r.Session, Kind: string(kind), Role: roles[kind],
		Text: words.FirstChars(said, maxTextChars), At: r.At,
	}
}

// isLong reports whether a text has at least minChars characters, as words.Length counts them.
func isLong(s string, minChars int) bool { return words.Length(s) >= minChars }
