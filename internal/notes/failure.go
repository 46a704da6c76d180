package notes

import (
	"fmt"
	"strings"

	"whence/internal/agent"
	"whence/internal/agent/usertext"
	"whence/internal/shell"
)

// lessonAttempts is the number of equal failures that make a lesson.
const lessonAttempts = 3

// failure is a failure that was recorded.
type failure struct {
	lesson   string // what the equal failures before it teach; "": too few
	repeated string // what the agent is shown
	times    int
	at       string
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

// recordFailure appends the failure to errors.log, with the number after that of the last equal one. It
// holds no lock, so two sessions may draw the same number.
func (v *event) recordFailure() (failure, error) {
	operation, output := v.operation(), outputOf(v.Error)
	message := messageOf(output)
	src, err := v.folder.read(errorsFile)
	if err != nil {
		return failure{}, err
	}
	f := failure{times: attempts(src, operation, message) + 1, at: v.now.Format(timeFormat)}
	record := fmt.Sprintf("[%s] Attempt %d: %s: %s\n%s", f.at, f.times, operation, message, excerpt(output, message))
	if err := v.folder.add(errorsFile, src, record); err != nil {
		return failure{}, err
	}
	if f.times%lessonAttempts == 0 {
		f.lesson = fmt.Sprintf("Lesson: %s fails with: %s", code(operation), message)
		f.repeated = fmt.Sprintf("%s has failed %d times with the same error (%s has the attempts): %s\n", code(operation), f.times, in(errorsFile), message)
	}
	return f, nil
}

// noteLesson notes the lesson of a failure, once for a pattern of errors.
func (v *event) noteLesson(f failure) error {
	if f.lesson == "" {
		return nil
	}
	src, err := v.folder.read(decisionsFile)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(src)) {
		if _, text, found := strings.Cut(line, "Lesson: "); found && strings.HasPrefix(normalized("Lesson: "+text), normalized(f.lesson)) {
			return nil
		}
	}
	return v.folder.note(decisionsFile, src, fmt.Sprintf("%s %s (%d times, last %s)", v.date(), f.lesson, f.times, f.at))
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
