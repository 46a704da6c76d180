package turns

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"whence/internal/agent/transcript"
	"whence/internal/shell"
)

// failed is a failure that no success has followed.
type failed struct {
	Told    string    `json:"told"`
	Key     string    `json:"key,omitempty"` // the file that was to be changed
	Run     shell.Run `json:"run,omitzero"`  // or the command
	Excerpt string    `json:"excerpt"`
	Misuse  bool      `json:"misuse,omitempty"`
	Steps   []string  `json:"steps,omitempty"`  // what was changed and run since, the last
	Unsure  bool      `json:"unsure,omitempty"` // something else may have been changed since
}

// open remembers a failure. The same failing again is one failure: how it failed last,
// and all that was tried since it did first.
func (f *Filter) open(u use, text string, misuse bool) {
	if u.Key == "" && u.Run.Words == "" || u.Run.Blind {
		return
	}
	e := failed{Told: u.heading(), Key: u.Key, Run: u.Run, Excerpt: text, Misuse: misuse}
	for i, old := range f.s.Failures {
		if old.isOf(u) {
			if !misuse { // which is over with the next success
				e.Steps, e.Unsure = old.Steps, old.Unsure
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

// isOf reports whether a use does what has failed.
func (e failed) isOf(u use) bool {
	if e.Key != "" || u.Key != "" {
		return e.Key == u.Key
	}
	return shell.IsSameTask(e.Run, u.Run, e.Excerpt)
}

// fixed is the turn of a success where there was a failure before (seed D2: errors and
// their fixes): what failed, what was changed since, and how it passes. A tool that was
// merely used wrongly is no such failure, unless something else had to be changed.
func (f *Filter) fixed(r transcript.Record, b transcript.Block, u use) []Turn {
	if u.Run.Blind || u.Run.Masked && saysFailure(b.Text) {
		return nil
	}
	for i, e := range slices.Backward(f.s.Failures) {
		if !e.isOf(u) {
			continue
		}
		f.s.Failures = append(f.s.Failures[:i:i], f.s.Failures[i+1:]...)
		if e.Misuse && len(e.Steps) == 0 {
			return nil
		}
		text := "[Fix] " + e.Told + "\nfailed: " + e.Excerpt + "\n"
		if len(e.Steps) > 0 {
			text += "then: " + strings.Join(e.Steps, "; ") + "\n"
		}
		return []Turn{turn(r, Fix, Tool, uuidOf(r, Fix, b), text+e.passes(u))}
	}
	return nil
}

// passes says how what has failed passes: with another command line, in another folder, or
// as it was. That nothing was changed is only said of the very same command.
func (e failed) passes(u use) string {
	isOther := e.Run.Sum != u.Run.Sum
	isElsewhere := e.Run.Dir != u.Run.Dir && (u.Run.Dir != "" || shell.IsAbsolute(e.Run.Dir))
	if !isOther && !isElsewhere {
		if len(e.Steps) > 0 || e.Unsure || e.Key != "" || u.Run.Masked || strings.Contains(e.Told+u.Told, shell.RedactedMark) {
			return "passes now"
		}
		return "nothing was changed between\npasses now"
	}
	text := "passes now"
	switch {
	case u.Told != e.Told:
		text = "passes as: " + u.Told
	case isOther:
		text = "passes with the command changed"
	}
	if isElsewhere && shell.IsAbsolute(u.Run.Dir) && shell.IsAbsolute(e.Run.Dir) {
		text += "\nin " + u.Run.Dir + " (it failed in " + e.Run.Dir + ")"
	}
	return text
}

// saysFailure reports whether an output speaks of a failure, although its command has ended
// well: behind a pipe, the exit status is that of what filters the output.
func saysFailure(output string) bool {
	return failureWords().MatchString(zeroFailures().ReplaceAllString(output, "")) || exitStatus().MatchString(output)
}

var (
	failureWords = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(fail(s|ed|ing|ure|ures)?|errors?|exception|traceback|panic|fatal|ERR!)(\b|:)|not found|denied|✗|✘`)
	})
	exitStatus = sync.OnceValue(func() *regexp.Regexp { // as echo $? prints it
		return regexp.MustCompile(`(?im)\b(exit|status|code|rc|ret)\w*\W{0,4}[1-9][0-9]*\b|^\s*[1-9][0-9]{0,2}\s*$`)
	})
	zeroFailures = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(0|no|zero|without) (fail(ed|ing|ures?)|errors?|problems)\b|\b(fail(ed|ing|ures?)|errors?):? +0\b`)
	})
)

// changed notes a success as something that was done about the failures before it.
func (f *Filter) changed(u use) {
	if u.Run.Own {
		if shell.WhenceChanges(u.Told) {
			f.unsure()
		}
		return
	}
	isStep := !isLook(u) || u.Run.Words == "" && (u.Run.Sets || u.Run.Dir != "" && !shell.IsAbsolute(u.Run.Dir))
	if !isStep || u.Told == "" {
		if mayChange(u.Name) {
			f.unsure()
		}
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

// unsure notes that something may have been changed of which nothing is known: by the user,
// a subagent, a command that has failed half way.
func (f *Filter) unsure() {
	for i := range f.s.Failures {
		f.s.Failures[i].Unsure = true
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// key is the file that a tool is to change; another use that changes it does the same.
func key(b transcript.Block) string {
	if isEdit(b.Name) && b.Input.Path != "" {
		return "file " + b.Input.Path
	}
	return ""
}

// isEdit reports whether a tool changes a file.
func isEdit(tool string) bool {
	return tool == "Edit" || tool == "MultiEdit" || tool == "Write" || tool == "NotebookEdit"
}

// isLook reports whether a use of a tool has only looked at something.
//
// The rule that drops the third and any later read of a file (seed D2) says no more than
// this where turns are concerned: a read makes no turn, the first as little as the fifth.
// What was found in the file stands in the answer. It is also no step of a fix.
func isLook(u use) bool {
	if u.Name != "Bash" {
		return !isEdit(u.Name)
	}
	return !shell.Writes(u.Told) && u.Run.Looks()
}

// mayChange reports whether a tool that makes no step of a fix may have changed something
// all the same: what a subagent or a foreign tool does is not known.
func mayChange(tool string) bool {
	switch tool {
	case "Bash", "Read", "Glob", "Grep", "LS", "NotebookRead", "WebFetch", "WebSearch", "TodoWrite", "TodoRead", "BashOutput", "ToolSearch", "ExitPlanMode":
		return false
	}
	return !isEdit(tool)
}
