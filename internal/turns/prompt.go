package turns

import (
	"strings"

	"whence/internal/agent/transcript"
	"whence/internal/agent/usertext"
)

// shortestPrompt is how many characters of a user are worth keeping. What is shorter is
// "yes", "go on", "thanks".
const shortestPrompt = 15

// said are the turns of what the user has typed: all questions and instructions are kept
// (seed D2), whether they stand as a string or in blocks. What the agent's machinery puts
// beside them is taken out first. In a subagent's records the prompts are those of the
// agent that has sent it, so they are no user's.
//
// What stands behind a slash command is the user's words, the command alone is not. What
// a user says after having stopped the agent is a correction.
func (f *Filter) said(r transcript.Record) (turns []Turn) {
	var first transcript.Block
	var words []string
	for _, b := range r.Blocks {
		if b.Kind != transcript.Text {
			continue
		}
		m := usertext.Read(b.Text)
		if m.Interrupted {
			turns = append(turns, f.interrupted(r, b)...)
		}
		if isLong(m.Arguments, shortestPrompt) {
			turns = append(turns, f.typed(turn(r, Command, User, uuidOf(r, Command, b), strings.TrimSpace(m.Command+" "+m.Arguments))))
		}
		if m.Words != "" {
			if words == nil {
				first = b
			}
			words = append(words, m.Words)
		}
	}
	if r.Type == transcript.User && (words != nil || turns != nil) {
		f.s.Uses = nil // whose results have not come by now were given up
		f.unsure()
	}
	if text := strings.Join(words, "\n"); isLong(text, shortestPrompt) {
		turns = append(turns, f.typed(turn(r, Prompt, User, uuidOf(r, Prompt, first), text)))
	}
	return turns
}

// typed raises the rank of what corrects the agent.
func (f *Filter) typed(t Turn) Turn {
	if f.s.Stopped {
		t.Rank = max(t.Rank, correction)
	}
	f.s.Stopped = false
	return t
}
