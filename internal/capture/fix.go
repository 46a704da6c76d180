package capture

import (
	"strings"

	"whence/internal/transcript"
)

// failed is a failure that no success has followed.
type failed struct {
	Told    string   `json:"told"`
	Key     string   `json:"key"`
	Excerpt string   `json:"excerpt"`
	Misuse  bool     `json:"misuse,omitempty"`
	Steps   []string `json:"steps,omitempty"` // what was changed and run since, the last
}

// open remembers a failure. The same failing again is one failure: how it failed last,
// and all that was tried since it did first.
func (f *Filter) open(u use, text string, misuse bool) {
	if u.Key == "" {
		return
	}
	e := failed{Told: u.heading(), Key: u.Key, Excerpt: text, Misuse: misuse}
	for i, old := range f.s.Failures {
		if old.Key == e.Key {
			if !misuse { // which is over with the next success
				e.Steps = old.Steps
			}
			e.Misuse = misuse && old.Misuse
			if misuse && !old.Misuse {
				e.Excerpt = old.Excerpt
			}
			f.s.Failures = append(f.s.Failures[:i:i], f.s.Failures[i+1:]...)
			break
		}
	}
	e.bound()
	f.s.Failures = last(append(f.s.Failures, e), mostFailures)
}

// fixed is the turn of a success where there was a failure before (seed D2: errors and
// their fixes): what failed, what was changed since, and that it passes. A tool that was
// merely used wrongly is no such failure, unless something else had to be changed.
func (f *Filter) fixed(r transcript.Record, b transcript.Block, u use) []Turn {
	if u.Key == "" {
		return nil
	}
	for i, e := range f.s.Failures {
		if e.Key != u.Key {
			continue
		}
		f.s.Failures = append(f.s.Failures[:i:i], f.s.Failures[i+1:]...)
		if e.Misuse && len(e.Steps) == 0 {
			return nil
		}
		between := "nothing was changed between"
		if len(e.Steps) > 0 {
			between = "then: " + strings.Join(e.Steps, "; ")
		}
		text := "[Fix] " + e.Told + "\nfailed: " + e.Excerpt + "\n" + between + "\npasses now"
		return []Turn{turn(r, Fix, Tool, uuidOf(r, Fix, b), text)}
	}
	return nil
}

// changed notes a success as something that was done about the failures before it.
func (f *Filter) changed(u use) {
	if isLook(u) || u.Told == "" {
		return
	}
	step := weighed(u.heading(), weightOfStep)
	for i := range f.s.Failures {
		e := &f.s.Failures[i]
		if n := len(e.Steps); n > 0 && e.Steps[n-1] == step {
			continue
		}
		e.Steps = last(append(e.Steps[:len(e.Steps):len(e.Steps)], step), mostSteps)
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// key is what another use of a tool has in common with one that does the same: a change
// of the same file, a command with the same program and main arguments; "" is nothing.
func key(b transcript.Block) string {
	switch {
	case b.Name == "Bash":
		return mainCommand(b.Input.Command)
	case isEdit(b.Name) && b.Input.Path != "":
		return "file " + b.Input.Path
	}
	return ""
}

// isEdit tells whether a tool changes a file.
func isEdit(tool string) bool {
	return tool == "Edit" || tool == "MultiEdit" || tool == "Write" || tool == "NotebookEdit"
}
