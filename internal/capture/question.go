package capture

import (
	"whence/internal/harness"
	"whence/internal/transcript"
)

// chosen is the turn of what the user has chosen when the agent had asked: decisions, in
// the result of a tool. Nil is that the result is none.
func chosen(r transcript.Record, b transcript.Block, u use) []Turn {
	if u.Name != "AskUserQuestion" || r.Sidechain {
		return nil
	}
	answers := harness.Answers(b.Text)
	if answers == "" {
		return nil
	}
	t := turn(r, Prompt, User, uuidOf(r, Prompt, b), answers)
	t.Rank = max(t.Rank, decision)
	return []Turn{t}
}
