package notes

import (
	"strings"

	"whence/internal/agent/usertext"
	"whence/internal/learning"
)

// Bounds of a task, in bytes: what is shorter is a word in between ("go on"), and what is
// longer is cut.
const (
	minTaskBytes = 20
	maxTaskBytes  = 200
)

// taskMark stands before a task, behind the day.
const taskMark = "Task: "

// task notes what the session is about, in context.md: its first prompt that is a task,
// unless it says the same as the one that was noted last.
func task(v *eventRun) (string, error) {
	prompt := usertext.Spoken(v.Prompt)
	if v.Session == "" || v.session.HasTask || v.Subagent != "" || len(prompt) < minTaskBytes || strings.HasPrefix(prompt, "/") {
		return "", nil
	}
	text := oneLine(redacted(prompt), maxTaskBytes)
	if len(text) < minTaskBytes {
		return "", nil // it was all private
	}
	src, err := v.folder.read(contextFile)
	if err != nil {
		return "", err
	}
	v.session.HasTask = true
	if before := lastTask(src); learning.Folded(before) == learning.Folded(text) || learning.Similar(before, text) == learning.NearDuplicate {
		return "", nil
	}
	return "", v.folder.note(contextFile, src, "- "+v.date()+" "+taskMark+text)
}

// maxSourceBytes is how many bytes of a prompt or an error are looked at.
const maxSourceBytes = 64 << 10

// lastTask is the task that was noted last, or "".
func lastTask(src []byte) (text string) {
	for line := range strings.Lines(string(src)) {
		line = strings.TrimRight(line, "\r\n")
		if day, task, found := strings.Cut(line, " "+taskMark); found && isDated(strings.TrimPrefix(day, "- ")) {
			text = task
		}
	}
	return text
}
