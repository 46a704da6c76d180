package turns

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"whence/internal/agent/transcript"
	"whence/internal/shell"
)

// redactedMark begins what package redact leaves for a secret.
const redactedMark = "[redacted: "

// openFailure is a failure without a success yet.
type openFailure struct {
	Action  string    `json:"told"`
	Key     string    `json:"key,omitempty"` // the file that was to be changed
	Run     shell.Run `json:"run,omitzero"`  // or the command
	Excerpt string    `json:"excerpt"`
	Misuse  bool      `json:"misuse,omitempty"`
	Steps   []string  `json:"steps,omitempty"`  // the last changes and commands since
	Unsure  bool      `json:"unsure,omitempty"` // something unknown may have changed since
}

// open remembers a failure. Repeated failures of the same are one: with the last error, and
// all that was tried since the first.
func (f *Filter) open(u toolUse, text string, misuse bool) {
	if u.Key == "" && u.Run.Words == "" {
		return
	}
	e := openFailure{Action: u.heading(), Key: u.Key, Run: u.Run, Excerpt: text, Misuse: misuse}
	for i, old := range f.s.Failures {
		if old.matches(u) {
			if !misuse { // a misuse has no steps
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
	f.s.Failures = last(append(f.s.Failures, e), maxFailures)
}

// matches reports whether a use does the same as the failed one.
func (e openFailure) matches(u toolUse) bool {
	if e.Key != "" || u.Key != "" {
		return e.Key == u.Key
	}
	return shell.IsSameTask(e.Run, u.Run, e.Excerpt)
}

// fixed returns the turn of a success after a failure: what failed, what was changed since,
// and how it passes. Using a tool wrongly counts as a failure only if something else had to
// be changed.
func (f *Filter) fixed(r transcript.Record, b transcript.Block, u toolUse) []Turn {
	if u.Run.Masked && (isSilent(strings.TrimSpace(b.Text)) || saysFailure(b.Text)) {
		return nil
	}
	for i, e := range slices.Backward(f.s.Failures) {
		if !e.matches(u) {
			continue
		}
		f.s.Failures = append(f.s.Failures[:i:i], f.s.Failures[i+1:]...)
		if e.Misuse && len(e.Steps) == 0 {
			return nil
		}
		text := "[Fix] " + e.Action + "\nfailed: " + e.Excerpt + "\n"
		if len(e.Steps) > 0 {
			text += "then: " + strings.Join(e.Steps, "; ") + "\n"
		}
		return []Turn{turn(r, Fix, Tool, uuidOf(r, Fix, b), text+e.passText(u))}
	}
	return nil
}

// passText describes how the failed command passes: with another command line, in another
// folder, or unchanged. Only for the very same command it says that nothing was changed.
func (e openFailure) passText(u toolUse) string {
	isOther := e.Run.Sum != u.Run.Sum
	isElsewhere := e.Run.Dir != u.Run.Dir && (u.Run.Dir != "" || path.IsAbs(e.Run.Dir))
	if !isOther && !isElsewhere {
		if len(e.Steps) > 0 || e.Unsure || e.Key != "" || u.Run.Masked || strings.Contains(e.Action+u.Action, redactedMark) {
			return "passes now"
		}
		return "nothing was changed between\npasses now"
	}
	text := "passes now"
	switch {
	case u.Action != e.Action:
		text = "passes as: " + u.Action
	case isOther:
		text = "passes with the command changed"
	}
	if isElsewhere && path.IsAbs(u.Run.Dir) && path.IsAbs(e.Run.Dir) {
		text += "\nin " + u.Run.Dir + " (it failed in " + e.Run.Dir + ")"
	}
	return text
}

// saysFailure reports whether an output mentions a failure although the exit status is 0: after
// a pipe, the status belongs to the filter.
func saysFailure(output string) bool {
	lower := strings.ToLower(output)
	mentions := slices.ContainsFunc(failureMarks, func(mark string) bool { return strings.Contains(lower, mark) }) // most outputs do not
	return mentions && failureWords().MatchString(zeroFailures().ReplaceAllString(output, "")) || exitStatus().MatchString(output)
}

// failureMarks are parts of all that failureWords matches.
var failureMarks = []string{"fail", "error", "exception", "traceback", "panic", "fatal", "err!", "not found", "denied", "✗", "✘"}

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

// changed adds a success to the steps of the open failures.
func (f *Filter) changed(u toolUse) {
	if u.Run.Own {
		if u.Run.Writes || !strings.Contains(u.Run.Words, "memory-when") { // which changes nothing
			f.markUnsure()
		}
		return
	}
	isStep := !onlyLooks(u) || u.Run.Words == "" && u.Run.Dir != "" && !path.IsAbs(u.Run.Dir)
	if !isStep || u.Action == "" {
		if mayChange(u.Name) {
			f.markUnsure()
		}
		return
	}
	step := cutJSON(u.heading(), maxStepBytes)
	for i := range f.s.Failures {
		e := &f.s.Failures[i]
		if n := len(e.Steps); n > 0 && e.Steps[n-1] == step {
			continue
		}
		e.Steps = last(append(e.Steps[:len(e.Steps):len(e.Steps)], step), maxSteps)
	}
}

// markUnsure records that something unknown may have changed: by the user, a subagent, or a
// command that failed half way.
func (f *Filter) markUnsure() {
	for i := range f.s.Failures {
		f.s.Failures[i].Unsure = true
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// key identifies the file that a tool changes; uses with the same key do the same.
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

// onlyLooks reports whether a tool has only looked at something. Such a use makes no turn, as
// the answer has what was found, and is not a step of a fix.
func onlyLooks(u toolUse) bool {
	if u.Name != "Bash" {
		return !isEdit(u.Name)
	}
	return !u.Run.Writes && u.Run.Looks()
}

// mayChange reports whether a tool that is not a step of a fix may have changed something, as
// subagents and unknown tools may.
func mayChange(tool string) bool {
	switch tool {
	case "Bash", "Read", "Glob", "Grep", "LS", "NotebookRead", "WebFetch", "WebSearch", "TodoWrite", "TodoRead", "BashOutput", "ToolSearch", "ExitPlanMode":
		return false
	}
	return !isEdit(tool)
}
