package capture

import (
	"strings"

	"whence/internal/transcript"
)

// shortestAnswer is how many characters of an agent are worth keeping. What is shorter is
// "Done." and "Let me look at the file.".
const shortestAnswer = 50

// spoken is the text of a message that may go on.
type spoken struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// answer is the turn of what the agent says: explanations and decisions (seed D2). A
// message is often split over several records; its texts are joined, and the turn comes
// again with the whole whenever it grows. A message that only uses tools makes no turn.
// Thinking is none of the blocks that are read.
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
	text, before := f.goOn(weighed(id, weightOfID), strings.Join(texts, "\n\n"))
	if !isLong(text, shortestAnswer) || text == before {
		return nil
	}
	return []Turn{turn(r, Answer, Assistant, id+":"+string(Answer), text)}
}

// goOn adds a text to those of a message, and returns them as they are and were. A record
// that is read again adds nothing.
func (f *Filter) goOn(id, more string) (text, before string) {
	text = more
	for i, m := range f.s.Messages {
		if m.ID == id {
			before = m.Text
			if text = before; !strings.Contains(before, cut(more, LongestText)) {
				text += "\n\n" + more
			}
			f.s.Messages = append(f.s.Messages[:i:i], f.s.Messages[i+1:]...)
			break
		}
	}
	text = weighed(cut(text, LongestText), weightOfMessages)
	f.s.Messages = append(f.s.Messages, spoken{id, text})
	f.s.boundMessages()
	return text, before
}
