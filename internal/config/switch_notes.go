package config

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// SwitchNotes is the text of the project's settings with notes switched on or off: the
// line of the key changed, or one more at the end. Every other byte stays. A text that
// does not say it then, as one whose settings stand in braces, is an error.
func SwitchNotes(src []byte, on bool) ([]byte, error) {
	was := Default()
	if err := was.setYAML(ProjectFile, src); err != nil {
		return nil, err
	}
	setting := keyNotes + ": " + strconv.FormatBool(on)
	end := "\n"
	if bytes.Contains(src, []byte("\r\n")) {
		end = "\r\n"
	}
	var out strings.Builder
	done := false
	for line := range strings.Lines(string(src)) {
		value, is := strings.CutPrefix(line, keyNotes+":")
		if is && !done {
			done = true
			line = setting + value[valueEnd(value):]
		}
		out.WriteString(line)
	}
	if !done {
		if len(src) > 0 && !bytes.HasSuffix(src, []byte("\n")) {
			out.WriteString(end)
		}
		out.WriteString(setting + end)
	}
	is := Default()
	if err := is.setYAML(ProjectFile, []byte(out.String())); err != nil || is.Notes != on {
		return nil, &Error{fmt.Sprintf("%s has a shape that is not edited here: write %s into it", ProjectFile, setting)}
	}
	return []byte(out.String()), nil
}

// valueEnd is where the value of a line ends: before its comment, or its line end.
func valueEnd(value string) int {
	end := len(strings.TrimRight(value, "\r\n"))
	if comment := strings.Index(value, " #"); comment >= 0 {
		end = min(end, comment)
	}
	return len(strings.TrimRight(value[:end], " \t"))
}
