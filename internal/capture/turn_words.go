package capture

import (
	"cmp"
	"strings"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
	"whence/internal/lazyregexp"
	"whence/internal/shell"
	"whence/internal/store"
	"whence/internal/words"
)

// minPromptChars is the minimum length of a captured prompt. Shorter ones are "yes", "go on",
// "thanks", unless they name an error.
const minPromptChars = 15

// isWorthKeeping reports whether a prompt is captured.
func isWorthKeeping(prompt string) bool {
	return isLong(prompt, minPromptChars) || shell.SaysFailure(prompt) || diagnosis().MatchString(prompt)
}

// diagnosis matches a line that names an error, its cause or its fix, in languages that have such a label.
var diagnosis = lazyregexp.New(`(?im)^\W*(?:(?:(?:root )?cause|reason|\w*(?:error|exception)s?|bug|fix(?:ed)?|solution|workaround|` +
	`fehler|ursache|lösung|erreur|correctif|solución|causa|errore|erro|soluzione|solução|fout|oorzaak|oplossing|błąd|przyczyna)\b|` +
	`ошибка|причина|решение|错误|錯誤|原因|解决|解決|修复|修正|エラー|오류|원인|해결)[^:：\n]{0,30}[:：][ \t]*[^\s]`)

// prompts returns the turns of all that the user typed, without what the agent's machinery
// added. The arguments of a slash command are the user's words; the command alone makes no turn.
// A subagent's prompts come from an agent, so callers leave them out.
func (f *filter) prompts(r transcript.Record) (turns []store.Turn) {
	var first transcript.Block
	var typed []string
	for _, b := range r.Blocks {
		if b.Kind != transcript.Text {
			continue
		}
		m := agent.ReadMessage(b.Text)
		f.nameChange(m.Command, m.Arguments)
		if m.Interrupted {
			turns = append(turns, f.interrupted(r, b)...)
		}
		if isWorthKeeping(m.Arguments) {
			turns = append(turns, turn(r, b, SlashCommand, strings.TrimSpace(m.Command+" "+m.Arguments)))
		}
		if m.Words != "" {
			if typed == nil {
				first = b
			}
			typed = append(typed, m.Words)
		}
	}
	if r.Type == transcript.User && (typed != nil || turns != nil) {
		f.Uses = nil // the agent no longer waits for their results
	}
	if text := strings.Join(typed, "\n"); isWorthKeeping(text) {
		turns = append(turns, turn(r, first, Prompt, text))
	}
	return turns
}

// choice returns the turn of the user's answers to the agent's questions, which are decisions,
// and nil for other results.
func choice(r transcript.Record, b transcript.Block, u toolUse) []store.Turn {
	if u.Name != "AskUserQuestion" || r.Sidechain {
		return nil
	}
	answers := agent.ToolAnswers(b.Text)
	if answers == "" {
		return nil
	}
	return []store.Turn{turn(r, b, Prompt, answers)}
}

// interruptMark begins the text of an interrupt.
const interruptMark = "[Interrupt]"

// interrupted returns the turn of the user stopping the agent, or nil after a refusal, which says the same.
func (f *filter) interrupted(r transcript.Record, b transcript.Block) []store.Turn {
	if f.Stopped && strings.Contains(b.Text, "for tool use") {
		return nil
	}
	text := interruptMark
	if n := len(f.Uses); n > 0 {
		text += " " + f.Uses[n-1].heading()
	}
	f.Stopped = true
	return []store.Turn{turn(r, b, Interrupt, text)}
}

// refused returns the turn of the user refusing a tool. If several tools ran, the user refused
// the first, and the agent dropped the others.
func (f *filter) refused(r transcript.Record, b transcript.Block, u toolUse, reason string) []store.Turn {
	if reason == "" && (r.Sidechain || f.Stopped) {
		return nil
	}
	text := strings.TrimSpace(interruptMark + " " + u.heading())
	f.Stopped = true
	return []store.Turn{turn(r, b, Interrupt, strings.TrimSpace(text+"\n"+reason))}
}

// minAnswerChars is the minimum length of a captured answer. Shorter ones are "Done." and
// "Let me look at the file.", unless they name an error or a fix as such: "Root cause: nil map."
const minAnswerChars = 50

// openMessage is the text of a message that may continue.
type openMessage struct {
	ID    string `json:"id"`
	First string `json:"first"` // UUID of its first record
	Text  string `json:"text"`
}

// answer returns the turn of a message of the agent: explanations and decisions. A message is
// often split over several records. Whenever it grows, the turn is returned again with the
// whole text, under the UUID of the first record, as some servers reuse ids of messages. A
// message that only uses tools makes no turn. The agent's thinking is not read.
func (f *filter) answer(r transcript.Record) []store.Turn {
	var texts []string
	for _, b := range r.Blocks {
		if text := strings.TrimSpace(b.Text); b.Kind == transcript.Text && text != "" {
			texts = append(texts, text)
		}
	}
	if texts == nil {
		return nil
	}
	now, before := f.extend(openMessage{
		ID: bounded(cmp.Or(r.Message, r.UUID)), First: bounded(r.UUID), Text: words.FirstChars(strings.Join(texts, "\n\n"), maxTextChars),
	})
	isKept := isLong(now.Text, minAnswerChars) || diagnosis().MatchString(now.Text)
	if !isKept || now.Text == before {
		return nil
	}
	t := turn(r, transcript.Block{}, Answer, now.Text)
	t.UUID = now.First + ":" + string(Answer)
	return []store.Turn{t}
}

// extend adds a part to its message, and returns the message and its previous text. A record
// that is read again adds nothing.
func (f *filter) extend(part openMessage) (now openMessage, before string) {
	now = part
	for i, m := range f.Messages {
		if m.ID == part.ID {
			now, before = m, m.Text
			if !strings.Contains(before, part.Text) {
				now.Text = words.FirstChars(now.Text+"\n\n"+part.Text, maxTextChars)
			}
			f.Messages = append(f.Messages[:i:i], f.Messages[i+1:]...)
			break
		}
	}
	f.Messages = last(append(f.Messages, now), maxMessages)
	return now, before
}
