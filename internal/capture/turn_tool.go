package capture

import (
	"strings"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
	"whence/internal/shell"
	"whence/internal/store"
	"whence/internal/words"
)

// How much of the beginning and the end of a failure is captured.
const (
	maxFailureHeadChars = 500
	maxFailureTailChars = 300
)

// Prefixes of the texts of failures and fixes. The failed command follows, or the tool and its file.
const (
	errorMark = "[Error] "
	fixMark   = "[Fix] "
)

// exitCode begins the output of a failed command.
const exitCode = "Exit code "

// isFailure reports whether a tool has failed. Some agents write only the exit code.
func isFailure(b transcript.Block) bool {
	return b.Error || strings.HasPrefix(b.Text, exitCode) && !strings.HasPrefix(b.Text, exitCode+"0")
}

// failure returns the turn of a failed tool: the command or the file, and the beginning and end of
// the error, however short. The failure is remembered until the same task succeeds, unless the agent
// has misused the tool. Failures of programs of whence make no turn.
func (f *filter) failure(r transcript.Record, b transcript.Block, u toolUse) []store.Turn {
	if u.Run.Own || agent.IsWhenceTool(u.Name) || shell.IsWhenceFailure(agent.ToolOutput(plain(b.Text))) {
		return nil
	}
	message := words.Ends(plain(b.Text), maxFailureHeadChars, maxFailureTailChars)
	heading := u.heading()
	if !agent.IsToolMisuse(b.Text) {
		f.open(u, message)
	}
	separator := "\n"
	if heading == "" || message == "" {
		separator = ""
	}
	return []store.Turn{turn(r, b, Error, errorMark+heading+separator+message)}
}

// plain removes the element that agents wrap some failures in.
func plain(text string) string {
	text = strings.TrimSpace(text)
	if inside, ok := strings.CutPrefix(text, "<tool_use_error>"); ok {
		text = strings.TrimSuffix(inside, "</tool_use_error>")
	}
	return text
}

// isSilent reports whether an output is empty, or an agent's words for an empty one.
func isSilent(output string) bool {
	switch strings.TrimSpace(output) {
	case "", "(Bash completed with no output)", "(no output)", "Tool ran without output", "undefined":
		return true
	}
	return false
}

// commandTurn returns the turn of a command that printed something. The output is not captured:
// the agent repeats what matters of it. Commands of whence make no turn.
func commandTurn(r transcript.Record, b transcript.Block, u toolUse) []store.Turn {
	if u.Name != "Bash" || u.Action == "" || isSilent(b.Text) || u.Run.Own {
		return nil
	}
	return []store.Turn{turn(r, b, Bash, "[Bash] "+u.Action)}
}
