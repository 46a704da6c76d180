package turns

import (
	"strings"

	"whence/internal/agent/transcript"
	"whence/internal/agent/usertext"
)

// interruptMark begins the text of an interrupt.
const interruptMark = "[Interrupt]"

// interrupted is the turn of the user stopping the agent. By itself it says little, but
// that what follows is a correction. After a refusal the mark says nothing new.
func (f *Filter) interrupted(r transcript.Record, b transcript.Block) []Turn {
	if f.s.Stopped && strings.Contains(b.Text, "for tool use") {
		return nil
	}
	text := interruptMark
	if n := len(f.s.Uses); n > 0 {
		text += " " + f.s.Uses[n-1].heading()
	}
	f.s.Stopped = true
	return []Turn{turn(r, Interrupt, User, uuidOf(r, Interrupt, b), text)}
}

// refused is the turn of the user refusing the use of a tool. The reason is a correction.
// Where several tools ran, only the first was refused; the others were given up with it.
func (f *Filter) refused(r transcript.Record, b transcript.Block, u use, reason string) []Turn {
	if reason == "" && (r.Sidechain || f.s.Stopped) {
		return nil
	}
	text := strings.TrimSpace(interruptMark + " " + u.heading())
	t := turn(r, Interrupt, User, uuidOf(r, Interrupt, b), text)
	if reason != "" {
		t = turn(r, Interrupt, User, t.UUID, text+"\n"+reason)
		t.Rank = correction
	}
	f.s.Stopped = true
	return []Turn{t}
}

// refusal tells whether a result is the user's refusal of a tool, and why.
//
// Since version 2 a failing command begins with its exit code, and what the user typed
// instead of allowing a command was for some time handed on without a word around it: of
// Bash, what fails without an exit code and is none of the agent's own errors is that.
func refusal(r transcript.Record, u use, b transcript.Block) (reason string, refused bool) {
	if reason, refused := usertext.Refused(b.Text); refused {
		return reason, true
	}
	if !b.Error || u.Name != "Bash" || !strings.HasPrefix(r.Version, "2.0.") || usertext.IsMisuse(b.Text) {
		return "", false
	}
	text := strings.TrimSpace(b.Text)
	for _, begin := range []string{exitCode, "Error", "error", "Command ", "[", "<", "/"} {
		if strings.HasPrefix(text, begin) {
			return "", false
		}
	}
	return text, text != "" && strings.Contains(text, " ")
}
