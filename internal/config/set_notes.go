package config

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whence/internal/text"
)

// NotesOn is the setting that switches notes on in the project's file.
var NotesOn = Setting{File: ProjectFile, Key: keyNotes, Value: "true"}

// SetNotes returns the text of the project's settings with notes switched on or off: the line of the
// key is changed, or added at the end. Every other byte stays. A text that this cannot change, such
// as settings in braces, is an error.
func SetNotes(src []byte, on bool) ([]byte, error) {
	if _, err := parse(src); err != nil {
		return nil, err
	}
	setting := keyNotes + ": " + strconv.FormatBool(on)
	end := text.LineEnd(src)
	lines := slices.Collect(strings.Lines(string(src)))
	at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, keyNotes+":") })
	if at >= 0 {
		value := strings.TrimPrefix(lines[at], keyNotes+":")
		lines[at] = setting + value[valueEnd(value):]
	} else {
		if len(src) > 0 && !bytes.HasSuffix(src, []byte("\n")) {
			lines = append(lines, end)
		}
		lines = append(lines, setting+end)
	}
	out := []byte(strings.Join(lines, ""))
	if c, err := parse(out); err != nil || c.Notes != on {
		return nil, &Error{Message: fmt.Sprintf("%s has a shape that is not edited here: write %s into it", ProjectFile, setting)}
	}
	return out, nil
}

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
