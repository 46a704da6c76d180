package notes

import (
	"strings"

	"whence/internal/agent/usertext"
	"whence/internal/learning"
)

// Bounds of a task: shorter prompts are remarks ("go on"), longer ones are cut.
const (
	minTaskBytes = 20
	maxTaskBytes = 200
)

// taskMark separates the day and the task.
const taskMark = "Task: "

// task notes the first prompt of a session that is a task in context.md, unless the task noted
// last says the same.
func task(v *eventRun) (string, error) {
	prompt := usertext.Spoken(v.Prompt)
	if v.Session == "" || v.session.HasTask || v.Subagent != "" || len(prompt) < minTaskBytes || strings.HasPrefix(prompt, "/") {
		return "", nil
	}
	text := oneLine(redacted(prompt), maxTaskBytes)
	if len(text) < minTaskBytes {
		return "", nil // all of it was private
	}
	src, err := v.folder.read(contextFile)
	if err != nil {
		return "", err
	}
	v.session.HasTask = true
	if before := lastTask(src); learning.Folded(before) == learning.Folded(text) {
		return "", nil
	}
	return "", v.folder.note(contextFile, src, "- "+v.date()+" "+taskMark+text)
}

// maxSourceBytes is the length of the part of a prompt or an error that is read.
const maxSourceBytes = 64 << 10

// lastTask returns the task that was noted last, or "".
func lastTask(src []byte) (text string) {
	for line := range strings.Lines(string(src)) {
		line = strings.TrimRight(line, "\r\n")
		if day, task, found := strings.Cut(line, " "+taskMark); found && isDated(strings.TrimPrefix(day, "- ")) {
			text = task
		}
	}
	return text
}
