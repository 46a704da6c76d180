package capture

import (
	"strings"

	"whence/internal/agent/transcript"
	"whence/internal/store"
)

// interruptMark begins the text of an interrupt.
const interruptMark = "[Interrupt]"

// interrupted returns the turn of the user stopping the agent, which marks what follows as a
// correction. After a refusal the mark adds nothing.
func (f *Filter) interrupted(r transcript.Record, b transcript.Block) []store.Turn {
	if f.Stopped && strings.Contains(b.Text, "for tool use") {
		return nil
	}
	text := interruptMark
	if n := len(f.Uses); n > 0 {
		text += " " + f.Uses[n-1].heading()
	}
	f.Stopped = true
	return []store.Turn{turn(r, Interrupt, User, uuidOf(r, Interrupt, b), text)}
}

// refused returns the turn of the user refusing a tool. The reason is a correction. If several
// tools ran, the user refused the first, and the agent dropped the others.
func (f *Filter) refused(r transcript.Record, b transcript.Block, u toolUse, reason string) []store.Turn {
	if reason == "" && (r.Sidechain || f.Stopped) {
		return nil
	}
	text := strings.TrimSpace(interruptMark + " " + u.heading())
	t := turn(r, Interrupt, User, uuidOf(r, Interrupt, b), text)
	if reason != "" {
		t = turn(r, Interrupt, User, t.UUID, text+"\n"+reason)
		t.Rank = correction
	}
	f.Stopped = true
	return []store.Turn{t}
}
