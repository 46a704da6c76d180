package notes

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/config"
	"whence/internal/lazyregexp"
	"whence/internal/shell"
	"whence/internal/words"
)

// lessonAttempts is the number of equal failures after which a lesson is noted.
const lessonAttempts = 3

// Record appends the failure of a tool to errors.log. Its number is one more than that of the last equal failure.
// Record takes no lock: sessions never wait for each other, but two may use the same number. It does nothing
// for other events, or if the project has no notes.
func Record(root string, e agent.Event, c config.Config, now time.Time) error {
	if !isFailure(e) {
		return nil
	}
	v, err := open(root, e, c, now)
	if v == nil || err != nil {
		return err
	}
	defer v.folder.Close()
	operation, output := v.operation(), outputOf(v.Error)
	message := messageOf(output)
	src, err := v.folder.read(errorsFile, maxReadBytes)
	if err != nil {
		return err
	}
	n := attempts(src, operation, message) + 1
	shown := words.Shorten(message, maxMessageBytes)
	return v.folder.add(errorsFile, src, fmt.Sprintf("[%s] Attempt %d: %s: %s\n%s", now.Format(timeFormat), n, operation, shown, excerpt(output, message)))
}

// isFailure reports whether an event is a failure to record. Tools that the user stopped or refused are not, nor are
// those of whence, whose failures are answers.
func isFailure(e agent.Event) bool {
	if e.Name != agent.PostToolUseFailure || e.Interrupt || strings.TrimSpace(e.Error) == "" {
		return false
	}
	_, refused := agent.RefusedTool(e.Error)
	return !refused && !agent.IsWhenceTool(e.Tool) && !shell.IsOwnFailure(e.Command, agent.ToolOutput(e.Error))
}

// learn notes a lesson if the number of equal recorded failures is a multiple of lessonAttempts, and returns what
// to show the agent about it.
func (v *event) learn(s *session) (repeated string, err error) {
	if !isFailure(v.Event) {
		return "", nil
	}
	v.keepFailed(s)
	src, err := v.folder.read(errorsFile, maxReadBytes)
	operation, message := v.operation(), messageOf(outputOf(v.Error))
	times := attempts(src, operation, message)
	if err != nil || times == 0 || times%lessonAttempts != 0 {
		return "", err
	}
	shown := words.Shorten(message, maxMessageBytes)
	repeated = fmt.Sprintf("%s has failed %d times with the same error (%s has the attempts): %s\n", code(operation), times, in(errorsFile), shown)
	lesson := fmt.Sprintf("Lesson: %s fails with: ", code(operation))
	if src, err = v.folder.read(decisionsFile, maxReadBytes); err != nil {
		return repeated, err
	}
	for line := range strings.Lines(string(src)) { // note it once
		_, written, found := strings.Cut(line, lesson)
		if end := strings.LastIndex(written, " ("); found && isSame(written[:max(0, end)], message) {
			return repeated, nil
		}
	}
	return repeated, v.folder.note(decisionsFile, src, fmt.Sprintf("%s %s%s (%d times, last %s)", v.date(), lesson, shown, times, v.now.Format(timeFormat)))
}

// operation returns the command of a tool call, or the tool with its file, on one line without secrets.
func (v *event) operation() string {
	name, is := v.inProject(v.Path)
	if !is || v.Path == "" {
		name = v.Path
	}
	what := cmp.Or(v.Command, strings.TrimSpace(v.Tool+" "+name), "a tool")
	return words.Shorten(plainLine(redacted(what)), maxOperationBytes)
}

// Bounds of the parts of a record in errors.log, which together keep it within 4 KB.
const (
	maxOperationBytes = 500
	maxMessageBytes   = 200
	maxLineBytes      = 180
	firstLines        = 6
	lastLines         = 10
)

// maxLogBytes is the size at which errors.log replaces errors.log.1.
const maxLogBytes = 256 << 10

// timeFormat is the format of times in errors.log: local, with the offset.
const timeFormat = "2006-01-02 15:04:05Z07:00"

// rotate starts a new log if it is full. The caller holds the lock. A process that is appending without the lock
// writes to the renamed log.
func (f *folder) rotate() error {
	info, err := f.notes.Lstat(errorsFile)
	if err != nil || info.Size() <= maxLogBytes {
		return nil
	}
	return f.notes.Rename(errorsFile, errorsFile+".1")
}

// attempts returns the attempt number of the last failure of an operation with a message in a log; 0 if there is
// none. An earlier tool wrote the operation after the message, in parentheses.
func attempts(log []byte, operation, message string) (n int) {
	for line := range strings.Lines(string(log)) {
		if !strings.HasPrefix(line, "[") || !strings.Contains(line, operation) {
			continue
		}
		_, record, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "] Attempt ")
		attempt, rest, _ := strings.Cut(record, ": ")
		text, is := strings.CutPrefix(rest, operation+": ")
		if !is {
			text, is = strings.CutSuffix(rest, " ("+operation+")")
		}
		if is && isSame(text, message) {
			n, _ = strconv.Atoi(attempt)
		}
	}
	return n
}

// isSame reports whether a written text, which may be cut, comes from a message. Differences in numbers, paths and
// hexadecimal words don't count.
func isSame(written, message string) bool {
	begin, isCut := strings.CutSuffix(written, "…")
	if !isCut {
		return normalized(written) == normalized(message)
	}
	if i := strings.LastIndexByte(begin, ' '); i > 0 && strings.Contains(begin[:i], " ") { // ignore the last word, which may be cut
		return strings.HasPrefix(normalized(message), normalized(begin[:i]))
	}
	return begin != "" && strings.HasPrefix(message, begin)
}

// normalized returns a message in lower case, without what differs each time: numbers, hexadecimal words, paths.
func normalized(message string) string {
	words := strings.Fields(strings.ToLower(message))
	for i, word := range words {
		words[i] = number().ReplaceAllStringFunc(word, func(run string) string {
			if strings.ContainsAny(run, "0123456789") {
				return "0"
			}
			return run // a word such as "face"
		})
		if strings.ContainsAny(word, `/\`) {
			words[i] = "/"
		}
	}
	return strings.Join(words, " ")
}

// number matches numbers, and runs of hexadecimal digits that may be words.
var number = lazyregexp.New(`[0-9a-f]{4,}|[0-9]+`)

// outputOf returns the output of a failed tool, without secrets and without the line with the exit status.
func outputOf(failure string) string {
	whole := redacted(failure)
	if rest := agent.ToolOutput(whole); rest != "" {
		return rest
	}
	return whole
}

// messageOf returns the line of an output that describes the error, or else the first line that is not empty. In a
// Python traceback, that is the first line that is not indented.
func messageOf(output string) string {
	first, inTraceback := "", false
	for text := range strings.Lines(output) {
		line := plainLine(text)
		first = cmp.Or(first, line)
		isIndented := strings.HasPrefix(text, " ") || strings.HasPrefix(text, "\t")
		switch {
		case strings.HasPrefix(line, "Traceback (most recent call last)"):
			inTraceback = true
		case line == "" || inTraceback && isIndented:
		case inTraceback || shell.SaysFailure(line):
			return line
		}
	}
	return first
}

// excerpt returns the first and the last lines of an output, indented so that none looks like the beginning of a
// record; "" if the output is only the message.
func excerpt(output, message string) string {
	var lines []string
	for line := range strings.Lines(output) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			lines = append(lines, "    "+words.Shorten(line, maxLineBytes)+"\n")
		}
	}
	if len(lines) == 1 && plainLine(lines[0]) == plainLine(words.Shorten(message, maxLineBytes)) {
		return ""
	}
	if left := len(lines) - firstLines - lastLines; left > 0 {
		lines = slices.Replace(lines, firstLines, firstLines+left, fmt.Sprintf("    (%d lines left out)\n", left))
	}
	return strings.Join(lines, "")
}
