package turns

import (
	"strings"

	"whence/internal/agent/transcript"
	"whence/internal/shell"
)

// longestCommand is how many characters of a command are kept.
const longestCommand = 200

// isSilent tells whether an output is none, or what agents put in the place of none.
func isSilent(output string) bool {
	switch output {
	case "", "(Bash completed with no output)", "(no output)", "Tool ran without output", "undefined":
		return true
	}
	return false
}

// ran is the turn of a command that had output (seed D2). The output itself is not kept:
// what it says that matters, the agent says. Neither are commands that only look around,
// nor those of this memory, whose output is known.
func ran(r transcript.Record, b transcript.Block, u use) []Turn {
	if u.Name != "Bash" || u.Told == "" || isSilent(strings.TrimSpace(b.Text)) || u.Run.Words == "" && !shell.Writes(u.Told) || isLook(u) || u.Run.Own {
		return nil
	}
	return []Turn{turn(r, Bash, Tool, uuidOf(r, Bash, b), "[Bash] "+u.Told)}
}
