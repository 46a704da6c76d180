package dispatch

import (
	"os"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
)

// codexFailure returns how the command of an event of Codex has failed, which the event does not say, but its transcript
// does; "" for any other event, and if the transcript does not say it either.
func codexFailure(e agent.Event) string {
	if e.Agent != agent.Codex || e.Name != agent.PostToolUse || e.Tool != "Bash" || e.Call == "" {
		return ""
	}
	info, err := os.Stat(e.Transcript)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := os.Open(e.Transcript)
	if err != nil {
		return ""
	}
	defer file.Close()
	return transcript.CodexFailure(file, info.Size(), e.Call)
}
