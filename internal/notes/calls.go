package notes

import (
	"os"
	"path/filepath"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
)

// calls returns the number of tool calls since the last event of the session. Agents report only some tools, so it counts
// calls in the transcript. For subagents, whose events do not name their transcript, and for databases, which are slow to
// read, each event about a call counts as one.
func (v *event) calls(s *session) int {
	reported := 0
	if v.Name == agent.PostToolUse || v.Name == agent.PostToolUseFailure {
		reported = 1
	}
	if v.Subagent != "" || v.Transcript == "" || filepath.Ext(v.Transcript) == ".db" {
		return reported
	}
	size := int64(0)
	if info, err := os.Stat(v.Transcript); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	if s.Read == nil { // earlier calls belong to another session, or were counted
		s.Read = &size
	}
	if size == 0 {
		return reported
	}
	file, err := os.Open(v.Transcript)
	if err != nil {
		return reported
	}
	defer file.Close()
	n, next, err := transcript.Calls(file, size, *s.Read)
	if err != nil {
		return reported
	}
	*s.Read = next
	return n
}
