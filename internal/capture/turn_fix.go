package capture

import (
	"path"
	"slices"
	"strings"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
	"whence/internal/lazyregexp"
	"whence/internal/shell"
	"whence/internal/store"
	"whence/internal/words"
)

// openFailure is a failure without a success yet.
type openFailure struct {
	Action  string    `json:"told"`
	File    string    `json:"file,omitempty"` // the file to change
	Run     shell.Run `json:"run,omitzero"`   // or the command
	Excerpt string    `json:"excerpt"`
	Steps   []string  `json:"steps,omitempty"` // the last changes and commands since
}

// open remembers a failure. Repeated failures of the same task count as one, with the last error
// and the steps since the first.
func (f *filter) open(u toolUse, excerpt string) {
	if u.File == "" && u.Run.Words == "" {
		return
	}
	e := openFailure{Action: u.heading(), File: u.File, Run: u.Run, Excerpt: excerpt}
	for i, old := range f.Failures {
		if old.matches(u) {
			e.Steps = old.Steps
			f.Failures = append(f.Failures[:i:i], f.Failures[i+1:]...)
			break
		}
	}
	f.Failures = last(append(f.Failures, e), maxFailures)
}

// matches reports whether a use does the same as the failed one.
func (e openFailure) matches(u toolUse) bool {
	if e.File != "" || u.File != "" {
		return e.File == u.File
	}
	return shell.IsSameTask(e.Run, u.Run, e.Excerpt)
}

// fixed returns the turn of a success after a failure: what failed, what was changed since,
// and how it passes.
func (f *filter) fixed(r transcript.Record, b transcript.Block, u toolUse) []store.Turn {
	// After a pipe, the exit status belongs to another command.
	if u.Run.Masked && (isSilent(b.Text) || shell.SaysFailure(b.Text) || exitStatus().MatchString(b.Text)) {
		return nil
	}
	for i, e := range slices.Backward(f.Failures) {
		if !e.matches(u) {
			continue
		}
		f.Failures = append(f.Failures[:i:i], f.Failures[i+1:]...)
		text := fixMark + e.Action + "\nfailed: " + e.Excerpt + "\n"
		if len(e.Steps) > 0 {
			text += "then: " + strings.Join(e.Steps, "; ") + "\n"
		}
		return []store.Turn{turn(r, b, Fix, text+e.passText(u))}
	}
	return nil
}

// FixOf returns the text of the fix of a failure among the turns after it, "" if there is none.
func FixOf(failure store.Turn, after []store.Turn) string {
	action, _, _ := strings.Cut(strings.TrimPrefix(failure.Text, errorMark), "\n")
	for _, t := range after {
		if t.Kind == string(Fix) && strings.HasPrefix(t.Text, fixMark+action+"\n") {
			return t.Text
		}
	}
	return ""
}

// passText describes how the failed command passes: with another command line, in another
// folder, or unchanged.
func (e openFailure) passText(u toolUse) string {
	text := "passes now"
	isElsewhere := e.Run.Dir != u.Run.Dir && (u.Run.Dir != "" || path.IsAbs(e.Run.Dir))
	if (e.Run.Sum != u.Run.Sum || isElsewhere) && u.Action != e.Action {
		text = "passes as: " + u.Action
	}
	if isElsewhere && path.IsAbs(u.Run.Dir) && path.IsAbs(e.Run.Dir) {
		text += "\nin " + u.Run.Dir + " (it failed in " + e.Run.Dir + ")"
	}
	return text
}

// exitStatus matches an exit status other than 0 in an output, also one that echo $? prints.
var exitStatus = lazyregexp.New(`(?im)\b(exit|status|code|rc|ret)\w*\W{0,4}[1-9][0-9]*\b|^\s*[1-9][0-9]{0,2}\s*$`)

// changed adds a success to the steps of the open failures.
func (f *filter) changed(u toolUse) {
	if onlyLooks(u) || u.Action == "" || u.Run.Own {
		return
	}
	step := words.FirstChars(u.heading(), maxStepChars)
	for i := range f.Failures {
		e := &f.Failures[i]
		if n := len(e.Steps); n > 0 && e.Steps[n-1] == step {
			continue
		}
		e.Steps = last(append(e.Steps[:len(e.Steps):len(e.Steps)], step), maxSteps)
	}
}

// onlyLooks reports whether a tool has only looked at something. Such a use is not a step of a fix.
func onlyLooks(u toolUse) bool {
	if u.Name != "Bash" {
		return !agent.IsEdit(u.Name)
	}
	return !u.Run.Writes && u.Run.IsReadOnly()
}
