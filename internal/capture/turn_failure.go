package capture

import (
	"strings"

	"whence/internal/agent/transcript"
	"whence/internal/agent/usertext"
	"whence/internal/shell"
	"whence/internal/store"
)

// How much of the beginning and the end of a failure is captured.
const (
	maxFailureHeadChars = 500
	maxFailureTailChars = 300
)

// exitCode begins the output of a failed command.
const exitCode = "Exit code "

// isFailure reports whether a tool has failed. Some agents write only the exit code.
func isFailure(b transcript.Block) bool {
	return b.Error || strings.HasPrefix(b.Text, exitCode) && !strings.HasPrefix(b.Text, exitCode+"0")
}

// failure returns the turn of a tool that has failed: the error, whatever its length, with the
// command or the file that it is about. The failure is remembered until the same succeeds.
// Failures of programs of whence make no turn.
func (f *Filter) failure(r transcript.Record, b transcript.Block, u toolUse) []store.Turn {
	if u.Run.Own || shell.IsWhenceTool(u.Name) || shell.IsWhenceFailure(usertext.Output(plain(b.Text))) {
		return nil
	}
	text := excerpt(plain(b.Text), maxFailureHeadChars, maxFailureTailChars)
	heading := u.heading()
	f.open(u, text, usertext.IsMisuse(b.Text))
	separator := "\n"
	if heading == "" || text == "" {
		separator = ""
	}
	t := turn(r, Error, Tool, uuidOf(r, Error, b), "[Error] "+heading+separator+text)
	if usertext.IsMisuse(b.Text) {
		t.Rank = misused
	}
	return []store.Turn{t}
}

// plain removes the element that agents wrap some failures in.
func plain(text string) string {
	text = strings.TrimSpace(text)
	if inside, ok := strings.CutPrefix(text, "<tool_use_error>"); ok {
		text = strings.TrimSuffix(inside, "</tool_use_error>")
	}
	return text
}

// oldResult returns the turn of a result in a separate record, as in very old transcripts. These do not mark failures, so the words of the result decide.
func (f *Filter) oldResult(r transcript.Record) []store.Turn {
	b := r.Blocks[0]
	text := strings.ToLower(b.Text)
	if !b.Error && !strings.Contains(text, "error") && !strings.Contains(text, "failed") && !strings.Contains(text, "traceback") {
		return nil
	}
	u, _ := f.takeUse(b.Tool)
	return f.failure(r, b, u)
}
