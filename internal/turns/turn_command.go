package turns

import (
	"strings"

	"whence/internal/agent/transcript"
)

// maxCommandChars is the maximum length of a stored command.
const maxCommandChars = 200

// isSilent reports whether an output is empty, or an agent's words for an empty one.
func isSilent(output string) bool {
	switch output {
	case "", "(Bash completed with no output)", "(no output)", "Tool ran without output", "undefined":
		return true
	}
	return false
}

// commandTurn returns the turn of a command that printed something. The output is not captured:
// the agent repeats what matters of it. Commands that only look around and those of whence
// make no turn.
func commandTurn(r transcript.Record, b transcript.Block, u toolUse) []Turn {
	if u.Name != "Bash" || u.Action == "" || isSilent(strings.TrimSpace(b.Text)) || u.Run.Words == "" && !u.Run.Writes || onlyLooks(u) || u.Run.Own {
		return nil
	}
	return []Turn{turn(r, Bash, Tool, uuidOf(r, Bash, b), "[Bash] "+u.Action)}
}
