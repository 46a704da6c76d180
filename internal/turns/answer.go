package turns

import (
	"strings"

	"whence/internal/agent/transcript"
)

// shortestAnswer is how many characters of an agent are worth keeping. What is shorter is
// "Done." and "Let me look at the file.".
const shortestAnswer = 50

// spoken is the text of a message that may go on.
type spoken struct {
	ID    string `json:"id"`
	First string `json:"first"` // UUID of its first record
	Text  string `json:"text"`
}

// answer is the turn of what the agent says: explanations and decisions (seed D2). A
// message is often split over several records; its texts are joined, and the turn comes
// again with the whole whenever it grows, under the UUID of the first: ids of messages may
// come again with some servers. A message that only uses tools makes no turn. Thinking is
// none of the blocks that are read.
func (f *Filter) answer(r transcript.Record) []Turn {
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
	now, before := f.goOn(spoken{ID: weighed(id, weightOfID), First: weighed(r.UUID, weightOfID), Text: strings.Join(texts, "\n\n")})
	if !isLong(now.Text, shortestAnswer) || now.Text == before {
		return nil
	}
	return []Turn{turn(r, Answer, Assistant, now.First+":"+string(Answer), now.Text)}
}

// goOn adds a part to its message, and returns that as it is now, and its text as it was.
// A record that is read again adds nothing.
func (f *Filter) goOn(part spoken) (now spoken, before string) {
	now = part
	for i, m := range f.s.Messages {
		if m.ID == part.ID {
			now, before = m, m.Text
			if !strings.Contains(before, cut(part.Text, LongestText)) {
				now.Text += "\n\n" + part.Text
			}
			f.s.Messages = append(f.s.Messages[:i:i], f.s.Messages[i+1:]...)
			break
		}
	}
	now.Text = weighed(cut(now.Text, LongestText), weightOfMessages)
	f.s.Messages = append(f.s.Messages, now)
	f.s.boundMessages()
	return now, before
}
