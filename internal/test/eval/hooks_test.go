package eval_test

import (
	"strings"

	"whence/internal/agent"
	"whence/internal/dispatch"
)

// seenByHook returns the text that a hook looks up for decisions: a command with the ends of its output,
// the path and beginning of a file, and all of anything else.
func seenByHook(m moment) string {
	a := action{}
	switch m.Kind {
	case "read":
		path, content, _ := strings.Cut(m.Text, "\n")
		a = action{"Read", path, content}
	case "bash":
		a.tool = "Bash"
		for line := range strings.Lines(m.Text) {
			if command, is := strings.CutPrefix(line, "$ "); is {
				a.head += command
			} else {
				a.result += line
			}
		}
	default:
		return m.Text
	}
	return a.text()
}

// action is a command or the path of a file, with what it has printed or what is in it.
type action struct{ tool, head, result string }

// text returns the text that a hook looks up for decisions.
func (a action) text() string {
	if a.result == "" { // the file itself is not here
		return a.head
	}
	r := dispatch.Request{Event: agent.Event{Name: agent.PostToolUse, Tool: a.tool, Path: "file", Content: a.result, Output: a.result}}
	return r.WithResult(a.head)
}

// named are some of all names, by their numbers.
func named(all []string, order []int) (names []string) {
	for _, i := range order {
		names = append(names, all[i])
	}
	return names
}
