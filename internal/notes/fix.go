package notes

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/inert"
	"whence/internal/shell"
	"whence/internal/words"
)

// failed is a command that failed in a session and has not passed since.
type failed struct {
	Operation string    `json:"operation"`
	Message   string    `json:"message"`
	Run       shell.Run `json:"run"`
	Steps     []string  `json:"steps,omitempty"` // the last changes made since then
}

// Bounds of the failures that are kept until they are fixed.
const (
	maxFailed    = 5
	maxSteps     = 4
	maxStepBytes = 80
	maxRunBytes  = 1 << 10
)

// noteFix notes in findings.md what fixed a command that failed earlier in the session: the changes since then, or the
// different command line that passed. A command that passes again without either was not fixed.
func (v *event) noteFix(s *session) error {
	if len(s.Failed) == 0 {
		return nil
	}
	passed := v.run()
	isPass := v.Command != "" && !passed.Masked && !passed.Own
	for i, f := range slices.Backward(s.Failed) {
		if !isPass || !shell.IsSameTask(f.Run, passed, f.Message) {
			continue
		}
		s.Failed = slices.Delete(s.Failed, i, i+1)
		after := strings.Join(f.Steps, ", ")
		if passed.Sum != f.Run.Sum && v.operation() != f.Operation {
			after = strings.Trim(after+"; passes as "+code(v.operation()), "; ")
		}
		if after == "" {
			return nil
		}
		line := fmt.Sprintf("%s Fixed: %s failed with: %s; then: %s", v.date(), code(f.Operation), words.Shorten(f.Message, maxMessageBytes), after)
		return v.noteOnce(findingsFile, line, "")
	}
	step := ""
	if v.Command != "" && !passed.Own && (passed.Writes || !passed.IsReadOnly()) {
		step = code(words.Shorten(v.operation(), maxStepBytes))
	}
	for _, e := range v.Edits {
		name, _ := v.inProject(e.Path)
		step = outcomeOf(e) + " " + words.Shorten(inert.Line(redacted(name)), maxStepBytes)
	}
	for i := range s.Failed {
		if f := &s.Failed[i]; step != "" && !slices.Contains(f.Steps, step) && !shell.IsSameTask(f.Run, passed, f.Message) {
			f.Steps = append(f.Steps, step)
			f.Steps = f.Steps[max(0, len(f.Steps)-maxSteps):]
		}
	}
	return nil
}

// keepFailed remembers a failed command until it passes. If it fails again, the changes since the first failure are
// kept.
func (v *event) keepFailed(s *session) {
	f := failed{Operation: v.operation(), Message: words.Shorten(messageOf(outputOf(v.Error)), maxMessageBytes), Run: v.run()}
	if v.Command == "" || f.Run.Words == "" || len(f.Run.Words) > maxRunBytes {
		return
	}
	at := slices.IndexFunc(s.Failed, func(old failed) bool { return shell.IsSameTask(old.Run, f.Run, old.Message) })
	if at >= 0 {
		f.Steps = s.Failed[at].Steps
		s.Failed = slices.Delete(s.Failed, at, at+1)
	}
	s.Failed = append(s.Failed, f)
	s.Failed = s.Failed[max(0, len(s.Failed)-maxFailed):]
}

// run returns the command of an event as a Run, without secrets.
func (v *event) run() shell.Run { return shell.RunOf(redacted(v.Command), redacted(v.Cwd)) }
