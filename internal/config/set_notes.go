package config

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// SetNotes is the text of the project's settings with notes switched on or off: the
// line of the key changed, or one more at the end. Every other byte stays. A text that
// does not say it then, as one whose settings stand in braces, is an error.
func SetNotes(src []byte, on bool) ([]byte, error) {
	if _, err := parse(src); err != nil {
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
	if is, err := parse([]byte(out.String())); err != nil || is.Notes != on {
		return nil, &Error{Message: fmt.Sprintf("%s has a shape that is not edited here: write %s into it", ProjectFile, setting)}
	}
	return []byte(out.String()), nil
}

// NotesOn is the setting that switches notes on, as the project's file asks for it.
var NotesOn = Setting{File: ProjectFile, Key: keyNotes, Value: "true"}

// valueEnd is where the value of a line ends: before its comment, or its line end.
func valueEnd(value string) int {
	end := len(strings.TrimRight(value, "\r\n"))
	if comment := strings.Index(value, " #"); comment >= 0 {
		end = min(end, comment)
	}
	return len(strings.TrimRight(value[:end], " \t"))
}

// parse reads the text of the project's settings, all of which count.
func parse(src []byte) (Config, error) {
	l := loader{Config: Default()}
	l.text(ProjectFile, src)
	if len(l.errors) > 0 {
		return l.Config, &Error{Message: l.errors[0]}
	}
	return l.Config, nil
}
