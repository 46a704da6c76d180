package notes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"whence/internal/agent/usertext"
	"whence/internal/shell"
	"whence/internal/text"
)

// Bounds of a record in errors.log, which has at most 4 KB: bytes of its parts, and lines of output.
const (
	maxOperationBytes = 160
	maxMessageBytes   = 200
	maxLineBytes      = 180
	firstLines        = 6
	lastLines         = 12
)

// maxLogBytes limits errors.log; a full log replaces errors.log.1.
const maxLogBytes = 256 << 10

// timeFormat is the format of times in errors.log: local, with the offset.
const timeFormat = "2006-01-02 15:04:05Z07:00"

// rotate starts a new log if it is full. The caller holds the lock; who appends at the same time, without
// it, has opened the old one.
func (f *folder) rotate() error {
	info, err := f.notes.Lstat(errorsFile)
	if err != nil || info.Size() <= maxLogBytes {
		return nil
	}
	return f.notes.Rename(errorsFile, errorsFile+".1")
}

// maxLogReads bounds how often errors.log is read, a millisecond apart, until its last record is whole.
const maxLogReads = 20

// readLog reads errors.log. A record that another process is appending may be there only in part, which
// is over in microseconds; a line that a user has not ended stays as it is.
func (f *folder) readLog() (src []byte, err error) {
	for range maxLogReads {
		src, err = f.read(errorsFile)
		if err != nil || len(src) == 0 || src[len(src)-1] == '\n' {
			return src, err
		}
		time.Sleep(time.Millisecond)
	}
	return src, nil
}

// attempts returns the number of the last failure of an operation with a message in a log. Messages that
// differ in numbers, paths and hexadecimal words are equal. An earlier tool wrote the operation after the
// message, in parentheses.
func attempts(log []byte, operation, message string) (n int) {
	want := normalized(message)
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
		if is && normalized(text) == want {
			n, _ = strconv.Atoi(attempt)
		}
	}
	return n
}

// normalized returns a message without what differs each time: numbers, hexadecimal words, paths.
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
var number = text.Lazy(`[0-9a-f]{4,}|[0-9]+`)

// outputOf returns the output of a failed tool without secrets.
func outputOf(failure string) string {
	text := redacted(failure)
	if rest := usertext.Output(text); rest != "" {
		return rest
	}
	return text
}

// messageOf returns the line of an output that describes the error, or else the first line.
func messageOf(output string) string {
	first := ""
	for line := range strings.Lines(output) {
		line = plainLine(line, maxMessageBytes)
		if line != "" && shell.SaysFailure(line) {
			return line
		}
		if first == "" {
			first = line
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
			lines = append(lines, "    "+text.Shorten(line, maxLineBytes)+"\n")
		}
	}
	if len(lines) == 1 && plainLine(lines[0], maxMessageBytes) == message {
		return ""
	}
	if left := len(lines) - firstLines - lastLines; left > 0 {
		lines = slices.Replace(lines, firstLines, firstLines+left, fmt.Sprintf("    (%d lines left out)\n", left))
	}
	return strings.Join(lines, "")
}
