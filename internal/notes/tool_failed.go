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
	firstLines        = 10
	lastLines         = 20
)

// maxLogBytes limits errors.log; a full log replaces errors.log.1.
const maxLogBytes = 256 << 10

// lessonAttempts is the number of equal failures that make a lesson.
const lessonAttempts = 3

// timeFormat is the format of times in errors.log.
const timeFormat = "2006-01-02 15:04:05Z"

// toolFailed records a failure, unless the user has stopped the tool, the agent has used it
// wrongly, or it belongs to whence, whose failures are answers.
func toolFailed(v *eventRun) (string, error) {
	repeated := ""
	var failed error
	_, refused := usertext.Refused(v.Error)
	if !v.Interrupt && !refused && strings.TrimSpace(v.Error) != "" && !usertext.IsMisuse(v.Error) && !shell.IsOwnFailure(v.Tool, v.Command, usertext.Output(v.Error)) {
		repeated, failed = v.record()
	}
	injected, err := v.count()
	if !v.config.Injection {
		repeated = ""
	}
	return repeated + injected, errors.Join(failed, err)
}

// record appends the failure to errors.log, with the number of the attempt. The third one becomes
// a lesson.
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

// fails remembers an operation until it works.
func (v *eventRun) fails(operation, message string, attempt int) {
	matches := func(f failingOperation) bool { return f.Operation == operation }
	var f *failingOperation
	v.book.Failing, f = moveToEnd(v.book.Failing, matches, failingOperation{Operation: operation})
	f.Message, f.Equal = message, attempt
	f.Attempts = max(attempt, f.Attempts+1)
}

// log appends to errors.log, and starts a new one if it is full.
func (f *folder) log(src []byte, record string) error {
	if info, err := f.notes.Lstat(errorsFile); err == nil && info.Size()+int64(len(record)) > maxLogBytes {
		if err := f.notes.Rename(errorsFile, errorsFile+".1"); err != nil {
			return err
		}
		src = nil
	}
	return f.add(errorsFile, src, record)
}

// operation returns the command of a tool call, or the tool with its file, on a line.
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

// plainLine returns a text on one line for a log, which is not Markdown.
func plainLine(text string, maxBytes int) string {
	return shorten(strings.Join(strings.Fields(text), " "), maxBytes)
}

// outputOf returns the output of a failed tool without secrets.
func outputOf(failure string) string {
	text := redacted(failure)
	if rest := usertext.Output(text); rest != "" {
		return rest
	}
	return text
}

// errorLine matches a line that probably describes an error.
var errorLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(\w*error|\w*exception|fail(ed|ure|s)?|fatal|panic|cannot|can't|could not|not found|no such|denied|refused|undefined|missing|unknown|invalid|unexpected)\b`)
})

// messageOf returns the line of an output that describes the error, or else the first line.
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

// excerpt returns the first and the last lines of an output, indented so that none looks like the
// beginning of a record.
func excerpt(output, message string) string {
	var lines []string
	for line := range strings.Lines(output) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			lines = append(lines, shorten(line, maxLineBytes))
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
