package turns

import (
	"strings"

	"whence/internal/agent/transcript"
	"whence/internal/agent/usertext"
	"whence/internal/shell"
)

// How many characters of a failure are kept, of its beginning and its end.
const (
	beginOfFailure = 500
	endOfFailure   = 300
)

// exitCode begins what a command has failed with.
const exitCode = "Exit code "

// isFailure tells whether a result is that of a tool which has failed. Transcripts of
// other agents lack the mark but have the exit code.
func isFailure(b transcript.Block) bool {
	return b.Error || strings.HasPrefix(b.Text, exitCode) && !strings.HasPrefix(b.Text, exitCode+"0")
}

// failed is the turn of a tool that has failed: errors are kept whatever their length
// (seed D2), each beside the command or the file that it is about. It is remembered until
// the same succeeds. What programs of whence fail with is not kept.
func (f *Filter) failed(r transcript.Record, b transcript.Block, u use) []Turn {
	if u.Run.Own || shell.IsWhenceTool(u.Name) || shell.IsWhenceFailure(usertext.Output(plain(b.Text))) {
		return nil
	}
	text := excerpt(plain(b.Text), beginOfFailure, endOfFailure)
	heading := u.heading()
	if !isLook(u) { // it may have done a part of its work
		for i := range f.s.Failures {
			f.s.Failures[i].Unsure = f.s.Failures[i].Unsure || !f.s.Failures[i].isOf(u)
		}
	}
	f.open(u, text, usertext.IsMisuse(b.Text))
	separator := "\n"
	if heading == "" || text == "" {
		separator = ""
	}
	t := turn(r, Error, Tool, uuidOf(r, Error, b), "[Error] "+heading+separator+text)
	if usertext.IsMisuse(b.Text) {
		t.Rank = misused
	}
	return []Turn{t}
}

// plain is a failure without the element that agents wrap some in.
func plain(text string) string {
	text = strings.TrimSpace(text)
	if inside, ok := strings.CutPrefix(text, "<tool_use_error>"); ok {
		text = strings.TrimSuffix(inside, "</tool_use_error>")
	}
	return text
}

// oldResult is the turn of a result that is a record of its own, as very old transcripts
// have it, without the mark of a failure: the words tell.
func (f *Filter) oldResult(r transcript.Record) []Turn {
	b := r.Blocks[0]
	low := strings.ToLower(b.Text)
	isOne := b.Error
	for _, word := range []string{"error", "failed", "traceback"} {
		isOne = isOne || strings.Contains(low, word)
	}
	if !isOne {
		return nil
	}
	u, _ := f.used(b.Tool)
	return f.failed(r, b, u)
}
