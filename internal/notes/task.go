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

// noteTask notes the first prompt of a session that is a task in context.md, unless the task noted
// last says the same.
func (v *event) noteTask(s *session) error {
	prompt := usertext.Spoken(v.Prompt)
	if s.ID == "" || s.HasTask || v.Subagent != "" || len(prompt) < minTaskBytes || strings.HasPrefix(prompt, "/") {
		return nil
	}
	text := oneLine(redacted(prompt), maxTaskBytes)
	if len(text) < minTaskBytes {
		return nil // all of it was private
	}
	src, err := v.folder.read(contextFile)
	if err != nil {
		return err
	}
	s.HasTask = true
	if learning.Folded(lastTask(src)) == learning.Folded(text) {
		return nil
	}
	return v.folder.note(contextFile, src, v.date()+" "+taskMark+text)
}

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
