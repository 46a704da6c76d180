package dispatch

import (
	"os"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
)

// codexFailure returns how the command of a Codex event failed. It reads that from the transcript, because the event
// does not report it. It returns "" for any other event, or if the transcript does not report a failure.
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
