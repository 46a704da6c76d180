package turns

import "whence/internal/shell"

// How much of a session a Filter remembers: together less than 64 KB of JSON, whatever the
// session. What is more is forgotten, the oldest first: a failure is then told without its
// command, or not paired with its success.
const (
	mostUses     = 16
	mostFailures = 8
	mostMessages = 8
	mostSteps    = 6 // after each failure
	mostChanges  = 5

	weightOfID       = 80 // bytes in JSON
	weightOfName     = 60
	weightOfTold     = 600
	weightOfKey      = 200
	weightOfWords    = 400
	weightOfDir      = 150
	weightOfSum      = 16
	weightOfExcerpt  = 600
	weightOfStep     = 100
	weightOfMessages = 16 << 10 // of all together
)

// weight is how many bytes a character takes in JSON.
func weight(r rune) int {
	switch {
	case r == '"' || r == '\\' || r == '\n' || r == '\t' || r == '\r':
		return 2
	case r < ' ' || r == '<' || r == '>' || r == '&' || r == '\u2028' || r == '\u2029' || r == 0x7f || r == '\ufffd':
		return 6
	case r < 0x80:
		return 1
	case r < 0x800:
		return 2
	case r < 0x10000:
		return 3
	}
	return 4
}

// weighed is the beginning of a text that takes no more than some bytes in JSON.
func weighed(text string, most int) string {
	if 6*len(text) <= most {
		return text
	}
	for i, r := range text {
		if most -= weight(r); most < 0 {
			return text[:i]
		}
	}
	return text
}

// last keeps the last of a list.
func last[T any](list []T, most int) []T {
	return list[max(0, len(list)-most):]
}

func boundRun(r *shell.Run) {
	r.Words, r.Dir, r.Sum = weighed(r.Words, weightOfWords), weighed(r.Dir, weightOfDir), weighed(r.Sum, weightOfSum)
	r.Rest = weighed(r.Rest, weightOfSum)
}

func (u *use) bound() {
	boundRun(&u.Run)
	u.Tool, u.Name = weighed(u.Tool, weightOfID), weighed(u.Name, weightOfName)
	u.Told, u.Key = weighed(u.Told, weightOfTold), weighed(u.Key, weightOfKey)
}

func (e *failed) bound() {
	boundRun(&e.Run)
	e.Told, e.Key, e.Excerpt = weighed(e.Told, weightOfTold), weighed(e.Key, weightOfKey), weighed(e.Excerpt, weightOfExcerpt)
	e.Steps = last(e.Steps, mostSteps)
	for i := range e.Steps {
		e.Steps[i] = weighed(e.Steps[i], weightOfStep)
	}
}

// bound drops what is too much.
func (s *state) bound() {
	s.Uses, s.Failures, s.Changes = last(s.Uses, mostUses), last(s.Failures, mostFailures), last(s.Changes, mostChanges)
	for i := range s.Uses {
		s.Uses[i].bound()
	}
	for i := range s.Failures {
		s.Failures[i].bound()
	}
	for i := range s.Changes {
		s.Changes[i] = weighed(s.Changes[i], weightOfName)
	}
	s.boundMessages()
}

// boundMessages keeps the last messages that have room together; the last one always, as
// it is cut to LongestText.
func (s *state) boundMessages() {
	s.Messages = last(s.Messages, mostMessages)
	left := weightOfMessages
	for i := len(s.Messages) - 1; i >= 0; i-- {
		m := &s.Messages[i]
		m.ID, m.First, m.Text = weighed(m.ID, weightOfID), weighed(m.First, weightOfID), weighed(cut(m.Text, LongestText), weightOfMessages)
		for _, r := range m.Text {
			left -= weight(r)
		}
		if left < 0 && i < len(s.Messages)-1 {
			s.Messages = s.Messages[i+1:]
			return
		}
	}
}
