package notes

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"whence/internal/agent/usertext"
	"whence/internal/shell"
)

// Bounds of a record in errors.log: bytes of its parts, and lines of output.
const (
	maxOperationBytes = 160
	maxMessageBytes   = 200
	maxLineBytes      = 300
	firstLines       = 10
	lastLines        = 20
)

// maxLogBytes is how many bytes errors.log has before it is begun anew; the old one is kept
// beside it, and the one before that is gone.
const maxLogBytes = 256 << 10

// lessonAttempts is how often the same may fail before it is a lesson.
const lessonAttempts = 3

// timeFormat is how times are written in errors.log.
const timeFormat = "2006-01-02 15:04:05Z"

// toolFailed records a failure. It is none if the user has stopped the tool, if the agent
// has used it wrongly, or if it is one of whence, which has found nothing or has findings.
func toolFailed(v *eventRun) (string, error) {
	repeated := ""
	var failed error
	_, refused := usertext.Refused(v.Error)
	if !v.Interrupt && !refused && strings.TrimSpace(v.Error) != "" && !usertext.IsMisuse(v.Error) && !shell.UsesOnlyWhence(v.Tool, v.Command) {
		repeated, failed = v.record()
	}
	injected, err := v.count()
	if !v.config.Injection {
		repeated = ""
	}
	return repeated + injected, errors.Join(failed, err)
}

// record appends the failure to errors.log, with the number of its attempt, and notes a
// lesson with the third.
func (v *eventRun) record() (repeated string, err error) {
	operation, message, output := v.operation(), "", outputOf(v.Error)
	message = messageOf(output)
	src, err := v.folder.read(errorsFile)
	if err != nil {
		return "", err
	}
	attempt := attempts(src, operation, message) + 1
	record := fmt.Sprintf("[%s] Attempt %d: %s: %s\n%s", v.now.Format(timeFormat), attempt, operation, message, excerpt(output, message))
	if err := v.folder.log(src, record); err != nil {
		return "", err
	}
	v.fails(operation, message, attempt)
	if attempt%lessonAttempts == 0 {
		repeated = fmt.Sprintf("%s has failed %d times with the same error (%s has the attempts): %s\n", code(operation), attempt, in(errorsFile), message)
	}
	if attempt == lessonAttempts {
		lesson := fmt.Sprintf("Lesson: %s fails with: %s", code(operation), message)
		return repeated, v.lesson(lesson, fmt.Sprintf("- %s %s (%d times, last %s)", v.date(), lesson, attempt, v.now.Format(timeFormat)))
	}
	return repeated, nil
}

// lesson notes a lesson, once for a pattern of errors.
func (v *eventRun) lesson(lesson, line string) error {
	src, err := v.folder.read(decisionsFile)
	if err != nil {
		return err
	}
	for before := range strings.Lines(string(src)) {
		if _, text, found := strings.Cut(before, "Lesson: "); found && strings.HasPrefix(normalized("Lesson: "+text), normalized(lesson)) {
			return nil
		}
	}
	return v.folder.note(decisionsFile, src, line)
}

// fails remembers what fails, until it works.
func (v *eventRun) fails(operation, message string, attempt int) {
	is := func(f failingOperation) bool { return f.Operation == operation }
	var f *failingOperation
	v.book.Failing, f = last(v.book.Failing, is, failingOperation{Operation: operation})
	f.Message, f.Equal = message, attempt
	f.Attempts = max(attempt, f.Attempts+1)
}

// log appends to errors.log, in bounds.
func (f *folder) log(src []byte, record string) error {
	if info, err := f.notes.Lstat(errorsFile); err == nil && info.Size()+int64(len(record)) > maxLogBytes {
		if err := f.notes.Rename(errorsFile, errorsFile+".1"); err != nil {
			return err
		}
		src = nil
	}
	return f.add(errorsFile, src, record)
}

// operation is what a tool was to do, on a line: a command, or the tool with its file.
func (v *eventRun) operation() string {
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

// plainLine is a text on one line, in a log, where it is not Markdown.
func plainLine(text string, maxBytes int) string {
	return cut(strings.Join(strings.Fields(text), " "), maxBytes)
}

// outputOf is what a tool has said, without secrets.
func outputOf(failure string) string {
	text := redacted(failure)
	if rest := usertext.Output(text); rest != "" {
		return rest
	}
	return text
}

// errorLine matches a line that is likely to say what went wrong.
var errorLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(\w*error|\w*exception|fail(ed|ure|s)?|fatal|panic|cannot|can't|could not|not found|no such|denied|refused|undefined|missing|unknown|invalid|unexpected)\b`)
})

// messageOf is the line of an output that says what went wrong, or else its first one.
func messageOf(output string) string {
	first := ""
	for line := range strings.Lines(output) {
		line = plainLine(line, maxMessageBytes)
		if line == "" {
			continue
		}
		if first == "" {
			first = line
		}
		if errorLine().MatchString(line) {
			return line
		}
	}
	return first
}

// excerpt are the first and the last lines of an output, indented: none of them can be
// taken for the beginning of a record.
func excerpt(output, message string) string {
	var lines []string
	for line := range strings.Lines(output) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			lines = append(lines, cut(line, maxLineBytes))
		}
	}
	if len(lines) == 1 && plainLine(lines[0], maxMessageBytes) == message {
		return ""
	}
	var out strings.Builder
	for i, line := range lines {
		if i == firstLines && len(lines) > firstLines+lastLines {
			fmt.Fprintf(&out, "    (%d lines left out)\n", len(lines)-firstLines-lastLines)
		}
		if i < firstLines || i >= len(lines)-lastLines {
			out.WriteString("    " + line + "\n")
		}
	}
	return out.String()
}
