package capture

import (
	"strings"

	"whence/internal/agent/transcript"
	"whence/internal/store"
	"whence/internal/text"
)

// minAnswerChars is the minimum length of a captured answer. Shorter ones are "Done." and
// "Let me look at the file.".
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
// message that only uses tools makes no turn. Thinking is not read.
func (f *Filter) answer(r transcript.Record) []store.Turn {
	var texts []string
	for _, b := range r.Blocks {
		if text := strings.TrimSpace(b.Text); b.Kind == transcript.Text && text != "" {
			texts = append(texts, text)
		}
	}
	if texts == nil {
		return nil
	}
	id := r.Message
	if id == "" {
		id = r.UUID
	}
	now, before := f.extend(openMessage{ID: text.FirstChars(id, maxIDChars), First: text.FirstChars(r.UUID, maxIDChars), Text: text.FirstChars(strings.Join(texts, "\n\n"), MaxTextChars)})
	if !isLong(now.Text, minAnswerChars) || now.Text == before {
		return nil
	}
	return []store.Turn{turn(r, Answer, Assistant, now.First+":"+Answer, now.Text)}
}

// extend adds a part to its message, and returns the message and its previous text. A record
// that is read again adds nothing.
func (f *Filter) extend(part openMessage) (now openMessage, before string) {
	now = part
	for i, m := range f.Messages {
		if m.ID == part.ID {
			now, before = m, m.Text
			if !strings.Contains(before, part.Text) {
				now.Text = text.FirstChars(now.Text+"\n\n"+part.Text, MaxTextChars)
			}
			f.Messages = append(f.Messages[:i:i], f.Messages[i+1:]...)
			break
		}
	}
	f.Messages = last(append(f.Messages, now), maxMessages)
	return now, before
}
