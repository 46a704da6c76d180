package turns

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"whence/internal/agent/transcript"
)

// Kind tells what a turn is.
type Kind string

// The kinds.
const (
	Prompt    Kind = "prompt"    // the user's words
	Command   Kind = "command"   // the user's words behind a slash command
	Interrupt Kind = "interrupt" // the user has stopped the agent, or refused a tool
	Answer    Kind = "answer"    // the agent's words
	Error     Kind = "error"     // a tool has failed
	Fix       Kind = "fix"       // what failed before succeeds
	Bash      Kind = "bash"      // a command that had output
)

// Who speaks in a turn.
const (
	User      = "user"
	Assistant = "assistant"
	Tool      = "tool"
)

// Turn is one captured piece of conversation.
type Turn struct {
	UUID      string // the same whenever and in whichever session it is captured
	Session   string // that its record names
	Agent     string // the subagent that its record names
	Kind      Kind
	Role      string
	Text      string
	At        time.Time
	Rank      int // see rank.go
	Sidechain bool
}

// LongestText is how many characters a turn has at most.
const LongestText = 2000

// turn makes one of a record.
func turn(r transcript.Record, kind Kind, role, uuid, text string) Turn {
	t := Turn{
		UUID: uuid, Session: r.Session, Agent: r.Agent, Kind: kind, Role: role, Text: cut(text, LongestText),
		At: r.At, Sidechain: r.Sidechain,
	}
	t.Rank = rank(t)
	return t
}

// uuidOf is the UUID of a turn that is made of a block.
func uuidOf(r transcript.Record, kind Kind, b transcript.Block) string {
	return r.UUID + ":" + string(kind) + ":" + strconv.Itoa(b.Index)
}

// isLong tells whether a text has at least so many characters.
func isLong(text string, least int) bool {
	return len(text) >= least && utf8.RuneCountInString(text) >= least
}

// cut keeps the first characters of a text.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for i := range text {
		if most--; most < 0 {
			return text[:i]
		}
	}
	return text
}

// excerpt keeps the beginning and the end of a text, where failures tell what happened.
func excerpt(text string, begin, end int) string {
	text = strings.TrimSpace(text)
	if !isLong(text, begin+end+1) {
		return text
	}
	at := len(text)
	for range end {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	return cut(text, begin) + "\n…\n" + text[at:]
}
