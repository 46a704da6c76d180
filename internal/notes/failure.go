package notes

import (
	"fmt"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/agent/usertext"
	"whence/internal/config"
	"whence/internal/shell"
)

// lessonAttempts is the number of equal failures that make a lesson.
const lessonAttempts = 3

// Record appends the failure of a tool to errors.log, with the number after that of the last equal one.
// It holds no lock, so two sessions may draw the same number, and none waits for another. Other events,
// and a project without notes, have nothing to record.
func Record(root string, e agent.Event, c config.Config, now time.Time) error {
	v, err := open(root, e, c, now)
	if v == nil || err != nil {
		return err
	}
	defer v.folder.Close()
	if !v.isFailure() {
		return nil
	}
	operation, output := v.operation(), outputOf(v.Error)
	message := messageOf(output)
	src, err := v.folder.readLog()
	if err != nil {
		return err
	}
	n := attempts(src, operation, message) + 1
	return v.folder.add(errorsFile, src, fmt.Sprintf("[%s] Attempt %d: %s: %s\n%s", now.Format(timeFormat), n, operation, message, excerpt(output, message)))
}

// isFailure reports whether a tool has failed: the user has not stopped it, the agent has not used it
// wrongly, and it does not belong to whence, whose failures are answers.
func (v *event) isFailure() bool {
	if v.Name != agent.PostToolUseFailure || v.Interrupt || strings.TrimSpace(v.Error) == "" || usertext.IsMisuse(v.Error) {
		return false
	}
	_, refused := usertext.Refused(v.Error)
	return !refused && !shell.IsOwnFailure(v.Tool, v.Command, usertext.Output(v.Error))
}

// learn notes the lesson of a failure that was recorded, if enough equal ones were, and returns what the
// agent is shown of it.
func (v *event) learn() (repeated string, err error) {
	if !v.isFailure() {
		return "", nil
	}
	src, err := v.folder.read(errorsFile)
	operation, message := v.operation(), messageOf(outputOf(v.Error))
	times := attempts(src, operation, message)
	if err != nil || times == 0 || times%lessonAttempts != 0 {
		return "", err
	}
	repeated = fmt.Sprintf("%s has failed %d times with the same error (%s has the attempts): %s\n", code(operation), times, in(errorsFile), message)
	lesson := fmt.Sprintf("Lesson: %s fails with: %s", code(operation), message)
	if src, err = v.folder.read(decisionsFile); err != nil {
		return repeated, err
	}
	for line := range strings.Lines(string(src)) { // once for a pattern of errors
		if _, text, found := strings.Cut(line, "Lesson: "); found && strings.HasPrefix(normalized("Lesson: "+text), normalized(lesson)) {
			return repeated, nil
		}
	}
	return repeated, v.folder.note(decisionsFile, src, fmt.Sprintf("%s %s (%d times, last %s)", v.date(), lesson, times, v.now.Format(timeFormat)))
}

// operation returns the command of a tool call, or the tool with its file, on a line.
func (v *event) operation() string {
	text := v.Command
	if text == "" {
		name, is := v.inProject(v.Path)
		if !is || v.Path == "" {
			name = v.Path
		}
		text = strings.TrimSpace(v.Tool + " " + name)
	}
	if text == "" {
		text = "a tool"
	}
	return plainLine(redacted(text), maxOperationBytes)
}
