package config

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// SetNotes returns the text of the project's settings with notes switched on or off: the line of the
// key is changed, or added at the end. Every other byte stays. A text that this cannot change, such
// as settings in braces, is an error.
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

// NotesOn is the setting that switches notes on in the project's file.
var NotesOn = Setting{File: ProjectFile, Key: keyNotes, Value: "true"}

// valueEnd returns the end of the value in a line: before its comment or line end.
func valueEnd(value string) int {
	end := len(strings.TrimRight(value, "\r\n"))
	if comment := strings.Index(value, " #"); comment >= 0 {
		end = min(end, comment)
	}
	return len(strings.TrimRight(value[:end], " \t"))
}

// parse reads the text of the project's settings, as if all were allowed.
func parse(src []byte) (Config, error) {
	l := loader{Config: Default()}
	l.text(ProjectFile, src)
	if len(l.errors) > 0 {
		return l.Config, &Error{Message: l.errors[0]}
	}
	return l.Config, nil
}
