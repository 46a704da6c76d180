package capture

import (
	"strings"

	"whence/internal/agent/transcript"
	"whence/internal/agent/usertext"
	"whence/internal/store"
)

// minPromptChars is the minimum length of a captured prompt. Shorter ones are "yes", "go on",
// "thanks".
const minPromptChars = 15

// prompts returns the turns of all that the user typed, without what the agent's machinery
// added. The arguments of a slash command are the user's words, the command alone is not. The
// prompts of a subagent come from an agent, so they make no turns.
func (f *Filter) prompts(r transcript.Record) (turns []store.Turn) {
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
		if isLong(m.Arguments, minPromptChars) {
			turns = append(turns, f.promote(turn(r, Command, User, uuidOf(r, Command, b), strings.TrimSpace(m.Command+" "+m.Arguments))))
		}
		if m.Words != "" {
			if words == nil {
				first = b
			}
			words = append(words, m.Words)
		}
	}
	if r.Type == transcript.User && (words != nil || turns != nil) {
		f.Uses = nil // the agent no longer waits for their results
	}
	if text := strings.Join(words, "\n"); isLong(text, minPromptChars) {
		turns = append(turns, f.promote(turn(r, Prompt, User, uuidOf(r, Prompt, first), text)))
	}
	return turns
}

// promote raises the rank of a prompt after the user has stopped the agent: it is a correction.
func (f *Filter) promote(t store.Turn) store.Turn {
	if f.Stopped {
		t.Rank = max(t.Rank, rankCorrection)
	}
	f.Stopped = false
	return t
}

// choice returns the turn of the user's answers to the agent's questions, which are decisions,
// and nil for other results.
func choice(r transcript.Record, b transcript.Block, u toolUse) []store.Turn {
	if u.Name != "AskUserQuestion" || r.Sidechain {
		return nil
	}
	answers := usertext.Answers(b.Text)
	if answers == "" {
		return nil
	}
	t := turn(r, Prompt, User, uuidOf(r, Prompt, b), answers)
	t.Rank = max(t.Rank, rankDecision)
	return []store.Turn{t}
}

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
		t.Rank = rankCorrection
	}
	f.Stopped = true
	return []store.Turn{t}
}
