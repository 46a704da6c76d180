package notes

import (
	"os"
	"path/filepath"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
)

// calls returns how many tools the agent has called since the last event of its session. Agents report only some tools, so
// their transcript counts. A subagent's, which no such event names, and a database, which is slow to read, don't:
// then each event about a call is one.
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
	if s.Read == nil { // what was said before belongs to another session, or was counted
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
